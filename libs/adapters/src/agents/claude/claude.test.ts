import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentEvent, AgentRequest } from "../../ports.ts";
import { agentContract, type PlannedRun } from "../../testing/agent-contract.ts";
import { planned, type StandInRun, standIn } from "../cli/testing/stand-in.ts";
import { claudeAgent } from "./index.ts";

const UNUSED = /answered, then ended with exit code 1; the answer is not used/;

const USAGE = { input_tokens: 7, cache_creation_input_tokens: 20, cache_read_input_tokens: 100, output_tokens: 5 };
const INIT = { type: "system", subtype: "init", model: "claude-sonnet-4-5" };
const RESULT = {
  ...{ type: "result", subtype: "success", is_error: false, stop_reason: "end_turn", result: "Fine." },
  ...{ total_cost_usd: 0.5, usage: USAGE },
};
const lines = (...all: object[]) => all.map((line) => JSON.stringify(line));
const said = (...content: object[]) => ({ type: "assistant", message: { model: "claude-sonnet-4-5", content } });

agentContract(
  "claude",
  (plan, folder) => {
    const last = (answer: string, { structured }: PlannedRun) => {
      const line = JSON.stringify({ ...RESULT, result: answer });
      return structured ? line.replace(/\}$/, () => `,"structured_output":${answer}}`) : line;
    };
    const runs = plan.map((one) => planned(one, (answer) => [...lines(INIT), last(answer, one)]));
    return claudeAgent({ command: standIn(folder, runs), writable: [folder] });
  },
  { hangs: "can" },
);

/** Has the adapter read what a stand-in prints. */
async function ran(run: StandInRun, request: Partial<AgentRequest> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-claude-")));
  // What it was asked is left next to the work tree, which nobody who only reads can write.
  const tree = join(folder, "tree");
  mkdirSync(tree);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const events: AgentEvent[] = [];
  const command = standIn(folder, [run]);
  const agent = claudeAgent({ command, writable: [folder], env: { ANTHROPIC_API_KEY: "sk-secret-0123456789" } });
  const asked: AgentRequest = {
    ...{ role: "reviewer", prompt: "Look.", cwd: tree, limits: { timeoutMs: 60_000 } },
    ...{ onEvent: (event: AgentEvent) => events.push(event), ...request },
  };
  const result = await agent.run(asked, new AbortController().signal);
  return { run: result, events, asked: () => JSON.parse(readFileSync(join(folder, "asked.json"), "utf8")) };
}

test.for(["stdout", "stderr"] as const)(
  "a line on %s that is too long to be read makes it no answer",
  async (stream) => {
    const long = "x".repeat(17_000_000);
    const { run } = await ran({
      stdout: [...(stream === "stdout" ? [long] : []), ...lines(INIT, RESULT)],
      stderr: [long],
    });
    expect(run).toMatchObject({
      status: "failed",
      text: "",
      error: expect.stringContaining("larger than the limit of 16 MB"),
    });
  },
);

const SCHEMA = { type: "object", properties: {}, required: [], additionalProperties: false };

describe("what claude prints", () => {
  test("its words, tools and results are events; keys are not; usage counts the cache in", async () => {
    const { run, events } = await ran({
      stdout: lines(
        INIT,
        said({ type: "text", text: "My key is sk-secret-0123456789." }),
        said({ type: "tool_use", id: "t1", name: "Read", input: { file_path: "a" } }),
        { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", content: "1\tone" }] } },
        RESULT,
      ),
    });
    expect(events).toEqual([
      { kind: "text", text: "My key is [redacted]." },
      { kind: "tool", name: "Read", detail: '{"file_path":"a"}' },
      { kind: "result", name: "Read", detail: "1\tone" },
    ]);
    expect(run).toEqual({
      ...{ status: "finished", text: "Fine.", model: "claude-sonnet-4-5" },
      usage: { inputTokens: 127, cachedInputTokens: 100, outputTokens: 5, costUsd: 0.5 },
    });
  });

  const later = Math.floor(Date.now() / 1_000) + 3_600;
  const error = (kind: string) => ({ ...said({ type: "text", text: "No." }), error: kind, is_api_error_message: true });
  const failed = { ...RESULT, is_error: true, result: "No." };
  test.for([
    { what: "an error flag", stdout: [failed], is: {} },
    { what: "no error flag at all", stdout: [{ ...RESULT, is_error: undefined }], is: {} },
    { what: "too many turns", stdout: [{ ...RESULT, subtype: "error_max_turns" }], is: {} },
    { what: "a refusal", stdout: [{ ...RESULT, stop_reason: "refusal" }], is: {} },
    { what: "an answer cut off", stdout: [{ ...RESULT, stop_reason: "max_tokens" }], is: {} },
    { what: "an exit code after the result", stdout: [RESULT], exit: 1, is: {}, says: UNUSED },
    { what: "a result that is no JSON", stdout: [], raw: '{"type":"result",', is: {} },
    { what: "401", stdout: [{ ...failed, api_error_status: 401 }], is: { lasting: true } },
    { what: "an unknown model", stdout: [{ ...failed, api_error_status: 404 }], is: { lasting: true } },
    { what: "nobody signed in", stdout: [error("authentication_failed"), failed], is: { lasting: true } },
    { what: "an old version", stdout: [], raw: "error: unknown option '--json-schema'", is: { lasting: true } },
    { what: "429", stdout: [{ ...failed, api_error_status: 429 }], is: { rateLimited: { retryAfterMs: null } } },
    { what: "529", stdout: [{ ...failed, api_error_status: 529 }], is: { rateLimited: { retryAfterMs: null } } },
    { what: "an overload without a number", stdout: [error("overloaded"), failed], is: { rateLimited: {} } },
    {
      what: "an account's limit, with its end",
      stdout: [
        { type: "rate_limit_event", rate_limit_info: { status: "rejected", resetsAt: later } },
        { ...failed, api_error_status: 429 },
      ],
      is: { rateLimited: { retryAfterMs: expect.closeTo(3_600_000, -5) } },
    },
  ])("$what is a failure", async ({ stdout, raw, exit = 0, is, says = /./ }) => {
    const { run } = await ran({ stdout: [...lines(INIT, ...stdout), ...(raw === undefined ? [] : [raw])], exit });
    expect(run).toMatchObject({ error: expect.stringMatching(says) });
    expect(run).toMatchObject({ status: "failed", text: "", error: expect.stringMatching(/./), ...is });
    expect([run.lasting, run.rateLimited].filter((one) => one !== undefined)).toHaveLength(Object.keys(is).length);
  });

  test.for([
    { what: "missing", answer: {}, status: "failed" },
    { what: "null", answer: { structured_output: null }, status: "failed" },
    { what: "there", answer: { structured_output: { ok: true } }, status: "finished" },
  ])("a structured answer that is $what: $status", async ({ answer, status }) => {
    const { run } = await ran({ stdout: lines(INIT, { ...RESULT, ...answer }) }, { schema: SCHEMA });
    expect(run.status).toBe(status);
    if (status === "finished") expect(run.structured).toEqual({ ok: true });
  });
});

describe("how claude is started", () => {
  test.for([
    { role: "reviewer", tools: "Read,Grep,Glob", mode: "dontAsk" },
    { role: "analyst", tools: "Read,Grep,Glob", mode: "dontAsk" },
    { role: "fixer", tools: "Read,Grep,Glob,Edit,Write,Bash", mode: "acceptEdits" },
    { role: "implementer", tools: "Read,Grep,Glob,Edit,Write,Bash", mode: "acceptEdits" },
  ] as const)("$role: $mode with $tools, the prompt on stdin", async ({ role, tools, mode }) => {
    const prompt = "p".repeat(1_000_000);
    const { asked } = await ran({ stdout: lines(RESULT) }, { role, prompt, model: "opus" });
    const { args, input, env } = asked();
    const following = (flag: string) => args[args.indexOf(flag) + 1];
    expect([following("--tools"), following("--permission-mode")]).toEqual([tools, mode]);
    expect(args).toContain("--model=opus");
    expect(following("--setting-sources")).toBe("");
    expect(input).toBe(prompt);
    expect(args.join(" ").length).toBeLessThan(2_000);
    expect(Object.keys(env)).not.toContain("NODE_OPTIONS");
  });

  test("a schema too large for an argument is refused before anything starts", async () => {
    const { run } = await ran({ stdout: [] }, { schema: { description: "d".repeat(120_000) } });
    expect(run).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining("too large") });
  });

  test("where it is not installed, the error says how to get it", async () => {
    const agent = claudeAgent({ command: ["/nowhere/claude"] });
    const request: AgentRequest = { role: "reviewer", prompt: "", cwd: tmpdir(), limits: { timeoutMs: 1_000 } };
    const run = await agent.run(request, new AbortController().signal);
    expect(run).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining("npm install -g") });
  });
});
