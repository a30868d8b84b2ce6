import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { AgentEvent, AgentRequest } from "../../ports.ts";
import { agentContract } from "../../testing/agent-contract.ts";
import { planned, type StandInRun, standIn } from "../cli/testing/stand-in.ts";
import { codexAgent } from "./index.ts";

const UNUSED = { error: expect.stringContaining("answered, then ended with exit code 1; the answer is not used") };

const USAGE = { input_tokens: 127, cached_input_tokens: 100, output_tokens: 5 };
const lines = (...all: object[]) => all.map((line) => JSON.stringify(line));
const item = (type: string, what: object) => ({ type, item: what });
const says = (text: string) => item("item.completed", { type: "agent_message", text });
const START = { type: "thread.started", thread_id: "t" };
const END = { type: "turn.completed", usage: USAGE };
const failure = (message: string) => ({ type: "turn.failed", error: { message } });

agentContract(
  "codex",
  (plan, folder) => {
    const runs = plan.map((one) => planned(one, (answer) => lines(START, says(answer), END)));
    return codexAgent({ command: standIn(folder, runs), env: { CODEX_HOME: folder } });
  },
  { hangs: "can" },
);

/** Has the adapter read what a stand-in prints, with this config.toml of the user. */
async function ran(run: StandInRun, request: Partial<AgentRequest> = {}, config?: string) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-codex-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, "home");
  mkdirSync(home);
  if (config !== undefined) writeFileSync(join(home, "config.toml"), config);
  const events: AgentEvent[] = [];
  const agent = codexAgent({ command: standIn(folder, [run]), env: { CODEX_HOME: home } });
  const asked: AgentRequest = {
    ...{ role: "reviewer", prompt: "Look.", cwd: folder, limits: { timeoutMs: 60_000 } },
    ...{ onEvent: (event: AgentEvent) => events.push(event), ...request },
  };
  const result = await agent.run(asked, new AbortController().signal);
  return { run: result, events, folder, asked: () => JSON.parse(readFileSync(join(folder, "asked.json"), "utf8")) };
}

const SCHEMA = {
  type: "object",
  properties: { ok: { type: "boolean" } },
  required: ["ok"],
  additionalProperties: false,
};

describe("what codex prints", () => {
  test("its words, commands and patches are events; usage holds the cache already", async () => {
    const command = { type: "command_execution", command: "ls", aggregated_output: "a\n", exit_code: 0 };
    const change = { type: "file_change", changes: [{ path: "a", kind: "update" }], status: "completed" };
    const { run, events } = await ran({
      stdout: lines(
        ...[START, item("item.completed", { type: "error", message: "Unknown model." })],
        ...[item("item.started", command), item("item.completed", command)],
        ...[item("item.started", change), item("item.completed", change)],
        ...[says("Half-way."), says("Done."), END],
      ),
    });
    expect(events).toEqual([
      { kind: "note", text: "Unknown model." },
      { kind: "tool", name: "shell", detail: "ls" },
      { kind: "result", name: "shell", detail: "exit 0\na\n" },
      { kind: "tool", name: "apply_patch", detail: "update a" },
      { kind: "result", name: "apply_patch", detail: "completed" },
      { kind: "text", text: "Half-way." },
      { kind: "text", text: "Done." },
    ]);
    const usage = { inputTokens: 127, cachedInputTokens: 100, outputTokens: 5 };
    expect(run).toEqual({ status: "finished", text: "Done.", usage });
  });

  const away = (retryAfterMs: number | null) => ({ rateLimited: { retryAfterMs } });
  test.for([
    { says: "We’re currently experiencing high demand, which may cause temporary errors.", is: away(null) },
    { says: "exceeded retry limit, last status: 429 Too Many Requests", is: away(null) },
    { says: "Rate limit reached for gpt-5.5. Please try again in 11.054s.", is: away(11_054) },
    { says: "You've hit your usage limit. Try again in 3 days 2 hours 5 minutes.", is: away(266_700_000) },
    { says: "Selected model is at capacity. Please try a different model.", is: away(null) },
    { says: "Connection failed: error sending request", is: away(null) },
    { says: "unexpected status 502 Bad Gateway: no, url: http://x", is: away(null) },
    { says: "unexpected status 401 Unauthorized: no, url: http://x", is: { lasting: true } },
    { says: "unexpected status 404 Not Found: The model nope does not exist", is: { lasting: true } },
    { says: "Missing environment variable: `MY_KEY`.", is: { lasting: true } },
    { says: "unexpected status 400 Bad Request: too long", is: {} },
    { says: "stream disconnected before completion: stream closed before response.completed", is: {} },
  ])("a turn that failed: $says", async ({ says: message, is }) => {
    const { run } = await ran({ stdout: lines(START, says("APPROVED"), failure(message)), exit: 1 });
    expect(run).toMatchObject({ status: "failed", text: "", error: expect.stringContaining(message), ...is });
    expect([run.lasting, run.rateLimited].filter((one) => one !== undefined)).toHaveLength(Object.keys(is).length);
  });

  test.for([
    { what: "no end of the turn", stdout: [says("APPROVED")], is: {} },
    { what: "an exit code after the end", stdout: [says("APPROVED"), END], exit: 1, is: UNUSED },
    {
      what: "a complaint and no end",
      stdout: [{ type: "error", message: "Connection failed: x" }],
      is: { rateLimited: {} },
    },
    {
      what: "an old version",
      stdout: [],
      stderr: ["error: unexpected argument '--ephemeral' found"],
      exit: 2,
      is: { lasting: true },
    },
    {
      what: "a configuration that codex refuses",
      stdout: [],
      stderr: ["Error loading config.toml: invalid transport"],
      exit: 1,
      is: { lasting: true },
    },
  ])("$what is a failure", async ({ stdout, stderr = [], exit = 0, is }) => {
    const { run } = await ran({ stdout: lines(START, ...stdout), stderr, exit });
    expect(run).toMatchObject({ status: "failed", text: "", ...is });
  });

  test.for([
    { answer: '{"ok":true}', status: "finished" },
    { answer: "all fine", status: "failed" },
    { answer: "true", status: "failed" },
    { answer: "", status: "failed" },
  ])("asked for a schema, $answer is $status", async ({ answer, status }) => {
    const { run } = await ran({ stdout: lines(START, says(answer), END) }, { schema: SCHEMA });
    expect(run.status).toBe(status);
    if (status === "finished") expect(run.structured).toEqual({ ok: true });
  });
});

describe("how codex is started", () => {
  const done = { stdout: lines(START, says("{}"), END) };

  test.for([
    { role: "reviewer", sandbox: "read-only" },
    { role: "analyst", sandbox: "read-only" },
    { role: "fixer", sandbox: "workspace-write" },
    { role: "implementer", sandbox: "workspace-write" },
  ] as const)("$role: $sandbox, the prompt on stdin", async ({ role, sandbox }) => {
    const prompt = "p".repeat(1_000_000);
    const { asked, folder } = await ran(done, { role, prompt, model: "gpt-5.5" });
    const { args, input } = asked();
    expect(args.slice(0, 2)).toEqual(["exec", "--json"]);
    expect(args[args.indexOf("--sandbox") + 1]).toBe(sandbox);
    expect(args).toContain("--model=gpt-5.5");
    expect(args).toContain(`projects={"${folder}"={"trust_level"="untrusted"}}`);
    expect(args.includes("sandbox_workspace_write.exclude_slash_tmp=true")).toBe(sandbox === "workspace-write");
    expect(input).toBe(prompt);
    expect(args.join(" ").length).toBeLessThan(3_000);
  });

  test("a writer may write where the user lets it, and into a temporary folder of its own", async () => {
    const config =
      '[sandbox_workspace_write]\nwritable_roots = ["/var/cache/mine"]\n[shell_environment_policy.set]\nMINE = "1"\n';
    const { args } = (await ran(done, { role: "fixer" }, config)).asked();
    const [roots = "", set = ""] = ["sandbox_workspace_write.writable_roots=", "shell_environment_policy.set="].map(
      (key) => args.find((one: string) => one.startsWith(key)),
    );
    const folder = /TMPDIR"="([^"]+)"/.exec(set)?.[1] ?? "nowhere";
    expect(roots).toBe(`sandbox_workspace_write.writable_roots=["/var/cache/mine","${folder}"]`);
    expect(set).toContain('"MINE"="1"');
  });

  test("the user's configuration is left as it is: its keys are passed on, its tool servers are off for readers", async () => {
    const config = '[mcp_servers."my tools"]\ncommand = "x"\n[model_providers.own]\nenv_key = "OWN_MODEL_KEY"\n';
    vi.stubEnv("OWN_MODEL_KEY", "own-key-0123456789");
    onTestFinished(() => void vi.unstubAllEnvs());
    const reader = await ran(done, { role: "reviewer" }, config);
    const writer = await ran(done, { role: "fixer" }, config);
    expect(reader.asked().args).toContain('mcp_servers={"my tools"={"enabled"=false}}');
    expect(writer.asked().args.join(" ")).not.toContain("mcp_servers");
    expect(reader.asked().env).toMatchObject({ OWN_MODEL_KEY: "own-key-0123456789" });
    expect(readFileSync(join(reader.folder, "home/config.toml"), "utf8")).toBe(config);
  });

  test.for([
    { what: "another key", schema: { ...SCHEMA, additionalProperties: undefined }, says: "it allows other keys" },
    { what: "a key that may be missing", schema: { ...SCHEMA, required: [] }, says: "it.ok is not required" },
    { what: "a list at the top", schema: { type: "array", items: SCHEMA }, says: "it is not an object at the top" },
    {
      what: "a nested key that may be missing",
      schema: { ...SCHEMA, properties: { ok: { type: "array", items: { ...SCHEMA, required: [] } } } },
      says: "it.ok.items.ok is not required",
    },
    { what: "what strict answers do not know", schema: { ...SCHEMA, allOf: [] }, says: "it has allOf" },
  ])("a schema with $what is refused before it costs a run", async ({ schema, says: why }) => {
    const { run } = await ran(done, { schema });
    expect(run).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining(why) });
  });
});
