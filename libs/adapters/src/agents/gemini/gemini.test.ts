import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentEvent, AgentRequest } from "../../ports.ts";
import { agentContract } from "../../testing/agent-contract.ts";
import { planned, type StandInRun, standIn } from "../cli/testing/stand-in.ts";
import { geminiAgent } from "./index.ts";

const UNUSED = /answered, then ended with exit code 1; the answer is not used/;

const INIT = { type: "init", model: "gemini-2.5-pro" };
const RESULT = { type: "result", status: "success", stats: { input_tokens: 110, output_tokens: 5, cached: 100 } };
const said = (content: string) => ({ type: "message", role: "assistant", content, delta: true });
const lines = (...all: object[]) => all.map((line) => JSON.stringify(line));

agentContract(
  "gemini (a stand-in)",
  (plan, folder) => {
    const runs = plan.map((one) => planned(one, (answer) => lines(INIT, said(answer), RESULT)));
    return geminiAgent({ command: standIn(folder, runs), env: { HOME: folder }, writable: [folder] });
  },
  { hangs: "can" },
);

/** Has the adapter read what a stand-in prints, with a home of its own. */
async function ran(run: StandInRun, request: Partial<AgentRequest> = {}, home: Record<string, string> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-gemini-")));
  // What it was asked is left next to the work tree, which nobody who only reads can write.
  const tree = join(folder, "tree");
  mkdirSync(tree);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, ".gemini"));
  for (const [name, text] of Object.entries(home)) writeFileSync(join(folder, ".gemini", name), text);
  const events: AgentEvent[] = [];
  const command = [process.execPath, "-e", KEEP_HOME, ...standIn(folder, [run]).slice(1)] as const;
  const env = { HOME: folder, GEMINI_API_KEY: "sk-secret-0123456789", KEPT: folder };
  const result = await geminiAgent({ command, env, writable: [folder] }).run(
    {
      ...{ role: "reviewer", prompt: "Look.", cwd: tree, limits: { timeoutMs: 60_000 } },
      ...{ onEvent: (event: AgentEvent) => events.push(event), ...request },
    },
    new AbortController().signal,
  );
  const kept = (name: string) => readFileSync(join(folder, "kept", name), "utf8");
  return { run: result, events, kept, asked: () => JSON.parse(readFileSync(join(folder, "asked.json"), "utf8")) };
}

/** Copies the home that it was given before it plays its part: that home is gone after the run. */
const KEEP_HOME = `
const { cpSync } = require("node:fs");
cpSync(process.env.GEMINI_CLI_HOME, process.env.KEPT + "/kept", { recursive: true, filter: (path) => !path.endsWith(".env") });
import(process.argv[1]);
`;

describe("what gemini prints", () => {
  test("its words, tools and results are events; keys are not; what it says last is the answer", async () => {
    const { run, events } = await ran({
      stdout: lines(
        INIT,
        { type: "message", role: "user", content: "Look." },
        said("Looking with sk-secret-0123456789."),
        { type: "tool_use", tool_name: "read_file", tool_id: "t1", parameters: { file_path: "a" } },
        { type: "tool_result", tool_id: "t1", status: "success", output: "one" },
        said("Fi"),
        said("ne."),
        RESULT,
      ),
    });
    expect(events).toEqual([
      { kind: "text", text: "Looking with [redacted]." },
      { kind: "tool", name: "read_file", detail: '{"file_path":"a"}' },
      { kind: "result", name: "read_file", detail: "one" },
      { kind: "text", text: "Fi" },
      { kind: "text", text: "ne." },
    ]);
    expect(run).toEqual({
      ...{ status: "finished", text: "Fine.", model: "gemini-2.5-pro" },
      usage: { inputTokens: 110, cachedInputTokens: 100, outputTokens: 5 },
    });
  });

  const api = (code: number, more = "") =>
    `[API Error: {"error":{"code":${code},"message":"No.","details":[${more}]}}]`;
  const failed = (message: string) => ({ ...RESULT, status: "error", error: { type: "unknown", message } });
  test.for([
    { what: "no result after SIGTERM, which exits 0", stdout: [said("APPROVED")], is: {} },
    { what: "an exit code after the result", stdout: [said("Fine."), RESULT], exit: 1, is: {}, says: UNUSED },
    { what: "a result without words", stdout: [RESULT], is: {} },
    { what: "garbage", stdout: [failed("[API Error: Incomplete JSON segment at the end]")], exit: 1, is: {} },
    { what: "401", stdout: [failed(api(401))], exit: 145, is: { lasting: true } },
    { what: "401 by its exit code only", stdout: [], exit: 145, is: { lasting: true } },
    { what: "an unknown model", stdout: [failed(api(404))], exit: 148, is: { lasting: true } },
    {
      what: "nobody signed in",
      stdout: [],
      stderr: ["Invalid auth method selected."],
      exit: 41,
      is: { lasting: true },
    },
    { what: "500", stdout: [failed(api(500))], exit: 244, is: { rateLimited: { retryAfterMs: null } } },
    {
      what: "503 with a delay",
      stdout: [failed(api(503, '{"retryDelay":"7s"}'))],
      is: { rateLimited: { retryAfterMs: 7_000 } },
    },
    {
      what: "429",
      stdout: [failed("[API Error: Slow down.\nSuggested retry after 1.5s.]")],
      exit: 173,
      is: { rateLimited: { retryAfterMs: 1_500 } },
    },
    {
      what: "a refused connection",
      stdout: [failed("[API Error: fetch failed sending request]")],
      is: { rateLimited: { retryAfterMs: null } },
    },
  ])("$what is a failure", async ({ stdout, stderr = [], exit = 0, is, says = /./ }) => {
    const { run } = await ran({ stdout: lines(INIT, ...stdout), stderr, exit });
    expect(run).toMatchObject({ error: expect.stringMatching(says) });
    expect(run).toMatchObject({ status: "failed", text: "", error: expect.stringMatching(/^gemini: ./), ...is });
    expect([run.lasting, run.rateLimited].filter((one) => one !== undefined)).toHaveLength(Object.keys(is).length);
  });
});

describe("how gemini is started", () => {
  const fine = { stdout: lines(INIT, said("Fine."), RESULT) };

  test.for([
    { role: "reviewer", writes: false },
    { role: "analyst", writes: false },
    { role: "fixer", writes: true },
    { role: "implementer", writes: true },
  ] as const)(
    "$role: a policy over all others, the prompt on stdin, no trust in the folder",
    async ({ role, writes }) => {
      const prompt = "p".repeat(1_000_000);
      const { asked, kept } = await ran(fine, { role, prompt, model: "gemini-2.5-pro" });
      const { args, input, env } = asked();
      expect(args).toEqual([
        ...["-o", "stream-json", "--admin-policy", expect.stringMatching(/policy\.toml$/), "--model=gemini-2.5-pro"],
      ]);
      expect(input).toBe(prompt);
      expect(env).toMatchObject({ GEMINI_CLI_TRUST_WORKSPACE: "false", GEMINI_TELEMETRY_ENABLED: "false" });
      const policy = kept("policy.toml");
      expect(policy).toMatch(/toolName = "\*"\ndecision = "deny"/);
      expect(policy.includes('"write_file"')).toBe(writes);
      expect(policy).not.toContain("run_shell_command");
    },
  );

  test("of the user's settings only the sign-in and the model count, and they are not rewritten", async () => {
    const theirs = `{ // mine
      "security": { "auth": { "selectedType": "oauth-personal" } }, "model": { "name": "gemini-3-pro" },
      "hooks": { "SessionStart": [] }, "mcpServers": { "mine": { "command": "x" } }, }`;
    const { kept, run } = await ran(fine, {}, { "settings.json": theirs, "oauth_creds.json": "{}" });
    expect(run.status).toBe("finished");
    expect(JSON.parse(kept(".gemini/settings.json"))).toMatchObject({
      security: { auth: { selectedType: "oauth-personal" }, folderTrust: { enabled: false } },
      model: { name: "gemini-3-pro" },
      general: { maxAttempts: 1 },
    });
    expect(kept(".gemini/settings.json")).not.toMatch(/hooks|mcpServers/);
    expect(kept(".gemini/oauth_creds.json")).toBe("{}");
  });

  test("a key in the environment is a sign-in where the settings name none", async () => {
    const { kept } = await ran(fine);
    expect(JSON.parse(kept(".gemini/settings.json")).security.auth).toEqual({ selectedType: "gemini-api-key" });
  });

  test("settings that cannot be read are the user's to mend", async () => {
    const { run } = await ran(fine, {}, { "settings.json": "{ nothing" });
    expect(run).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining("settings.json") });
  });
});
