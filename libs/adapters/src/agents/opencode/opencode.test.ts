import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentEvent, AgentRequest } from "../../ports.ts";
import { agentContract } from "../../testing/agent-contract.ts";
import type { AgentSetup } from "../cli/cli-agent.ts";
import { planned, type StandInRun, standIn } from "../cli/testing/stand-in.ts";
import { opencodeAgent } from "./index.ts";

const UNUSED = /answered, then ended with exit code 1; the answer is not used/;

const text = (said: string) => ({ type: "text", part: { text: said } });
const finish = (reason: string, input: number, cost = 0.25) => ({
  type: "step_finish",
  part: { reason, cost, tokens: { input, output: 5, reasoning: 2, cache: { read: 100, write: 20 } } },
});
const used = (state: object) => ({ type: "tool_use", part: { tool: "read", state } });
const lines = (...all: object[]) => all.map((line) => JSON.stringify(line));

agentContract(
  "opencode (a stand-in)",
  (plan, folder) => {
    const runs = plan.map((one) => planned(one, (answer) => lines(text(answer), finish("stop", 7))));
    return opencodeAgent({ command: standIn(folder, runs), writable: [folder] });
  },
  { hangs: "can" },
);

async function ran(run: StandInRun, request: Partial<AgentRequest> = {}, setup: AgentSetup = {}, files = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-opencode-")));
  // What it was asked is left next to the work tree, which nobody who only reads can write.
  const tree = join(folder, "tree");
  mkdirSync(tree);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), String(content));
  const events: AgentEvent[] = [];
  const agent = opencodeAgent({ command: standIn(folder, [run]), writable: [folder], ...setup });
  const result = await agent.run(
    {
      ...{ role: "reviewer", prompt: "Look.", cwd: tree, limits: { timeoutMs: 60_000 } },
      ...{ onEvent: (event: AgentEvent) => events.push(event), ...request },
    },
    new AbortController().signal,
  );
  return { run: result, events, asked: () => JSON.parse(readFileSync(join(folder, "asked.json"), "utf8")) };
}

describe("what opencode prints", () => {
  test("steps are summed, the cache counts in, and what it says last is the answer", async () => {
    const { run, events } = await ran(
      {
        stdout: lines(
          text("Looking."),
          used({ status: "completed", input: { filePath: "a" }, output: "1: one" }),
          finish("tool-calls", 3),
          text("Fine."),
          finish("stop", 7),
        ),
      },
      { model: "mock/scripted" },
    );
    expect(events).toEqual([
      { kind: "text", text: "Looking." },
      { kind: "tool", name: "read", detail: '{"filePath":"a"}' },
      { kind: "result", name: "read", detail: "1: one" },
      { kind: "text", text: "Fine." },
    ]);
    expect(run).toEqual({
      ...{ status: "finished", text: "Fine.", model: "mock/scripted" },
      usage: { inputTokens: 250, cachedInputTokens: 200, outputTokens: 14, costUsd: 0.5 },
    });
  });

  const error = (data: object, name = "APIError") => ({ type: "error", error: { name, data } });
  test.for([
    { what: "an end without a stop", stdout: [text("APPROVED"), finish("tool-calls", 1)], is: {} },
    { what: "an answer cut off", stdout: [text("APPROVED"), finish("length", 1)], is: {} },
    {
      what: "an exit code after the answer",
      stdout: [text("Fine."), finish("stop", 1)],
      exit: 1,
      is: {},
      says: UNUSED,
    },
    {
      what: "an error after the answer",
      stdout: [text("Fine."), finish("stop", 1), error({ message: "No." })],
      is: {},
    },
    { what: "no words", stdout: [finish("stop", 1)], is: {} },
    { what: "401", stdout: [error({ message: "No.", statusCode: 401 })], exit: 1, is: { lasting: true } },
    {
      what: "an unknown model",
      stdout: [error({ message: "Model not found: mock/other." }, "UnknownError")],
      is: { lasting: true },
    },
    {
      what: "500",
      stdout: [error({ message: "No.", statusCode: 500 })],
      is: { rateLimited: { retryAfterMs: null } },
    },
    {
      what: "429 with a header",
      stdout: [error({ message: "No.", statusCode: 429, responseHeaders: { "retry-after": "7" } })],
      is: { rateLimited: { retryAfterMs: 7_000 } },
    },
    {
      what: "a refused connection",
      stdout: [error({ message: "Unable to connect. Is the computer able to access the url?", isRetryable: true })],
      is: { rateLimited: { retryAfterMs: null } },
    },
  ])("$what is a failure", async ({ stdout, exit = 0, is, says = /./ }) => {
    const { run } = await ran({ stdout: lines(...stdout), exit });
    expect(run).toMatchObject({ error: expect.stringMatching(says) });
    expect(run).toMatchObject({
      status: "failed",
      text: "",
      error: expect.stringMatching(/^opencode failed: ./),
      ...is,
    });
    expect([run.lasting, run.rateLimited].filter((one) => one !== undefined)).toHaveLength(Object.keys(is).length);
  });
});

describe("requests that failed, named in opencode's log", () => {
  const log = 'level=ERROR message="stream error" providerID=mock error.error="AI_APICallError: Slow down."';

  test("two in a row end the run as turned away: it would go on for as long as it likes", async () => {
    const { run } = await ran({ stdout: [], stderr: [log, log], hangs: true });
    expect(run).toMatchObject({ status: "failed", rateLimited: { retryAfterMs: null } });
    expect(run.error).toContain("Slow down.");
  });

  test("one alone does not end it", async () => {
    const limits = { timeoutMs: 60_000, silenceMs: 4_000 };
    expect(await ran({ stdout: [], stderr: [log], hangs: true }, { limits })).toMatchObject({
      run: { status: "timed-out" },
    });
  });

  test.for([
    { what: "an error", stdout: [{ type: "error", error: { data: { message: "No.", statusCode: 401 } } }], exit: 1 },
    { what: "an answer", stdout: [text("Fine."), finish("stop", 1)], exit: 0 },
  ])("do not count if $what follows", async ({ stdout, exit }) => {
    const { run } = await ran({ stdout: lines(...stdout), stderr: [log, log], exit });
    expect(run.rateLimited).toBeUndefined();
    expect(run.status).toBe(exit === 0 ? "finished" : "failed");
  });
});

describe("how opencode is started", () => {
  const fine = { stdout: lines(text("Fine."), finish("stop", 1)) };

  test.for([
    { role: "reviewer", agent: "anneal-reads", edit: undefined },
    { role: "analyst", agent: "anneal-reads", edit: undefined },
    { role: "fixer", agent: "anneal-writes", edit: "allow" },
    { role: "implementer", agent: "anneal-writes", edit: "allow" },
  ] as const)("$role: the agent $agent, the prompt on stdin", async ({ role, agent, edit }) => {
    const prompt = "p".repeat(1_000_000);
    const { asked } = await ran(fine, { role, prompt, model: "mock/scripted" });
    const { args, input, env } = asked();
    const given = (flag: string) => args[args.indexOf(flag) + 1];
    expect([args[0], given("--agent")]).toEqual(["run", agent]);
    expect(args).toContain("--model=mock/scripted");
    expect(args).toEqual(expect.arrayContaining(["--pure", "--format", "json", "--print-logs"]));
    expect(input).toBe(prompt);
    expect(env.OPENCODE_DISABLE_PROJECT_CONFIG).toBe("1");
    const { permission } = JSON.parse(env.OPENCODE_CONFIG_CONTENT).agent[agent];
    expect(permission).toMatchObject({ "*": "deny", read: "allow" });
    expect(permission.edit).toBe(edit);
    expect(permission.bash).toBeUndefined();
  });

  test("the user's own settings stay beneath ours, and cannot loosen them", async () => {
    const theirs = {
      provider: { mine: {} },
      share: "auto",
      agent: { "anneal-reads": { permission: "allow" }, other: {} },
    };
    const { asked } = await ran(fine, {}, { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(theirs) } });
    const config = JSON.parse(asked().env.OPENCODE_CONFIG_CONTENT);
    expect(config).toMatchObject({ provider: { mine: {} }, share: "disabled", agent: { other: {} } });
    expect(config.agent["anneal-reads"].permission).toMatchObject({ "*": "deny" });
  });

  test("settings of the user that are no JSON are the user's to mend", async () => {
    const { run } = await ran(fine, {}, { env: { OPENCODE_CONFIG_CONTENT: "{" } });
    expect(run).toMatchObject({ status: "failed", lasting: true });
  });
});
