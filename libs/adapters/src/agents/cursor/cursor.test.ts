import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentEvent, AgentRequest } from "../../ports.ts";
import { agentContract } from "../../testing/agent-contract.ts";
import { planned, type StandInRun, standIn } from "../cli/testing/stand-in.ts";
import { cursorAgent } from "./index.ts";

const UNUSED = /answered, then ended with exit code 1; the answer is not used/;

// Cursor's program is not on npm: a stand-in prints what its documentation says. Nothing here ran the real one.
const INIT = { type: "system", subtype: "init", model: "GPT-5", session_id: "s", apiKeySource: "env" };
const RESULT = { type: "result", subtype: "success", is_error: false, result: "Fine.", session_id: "s" };
const said = (text: string) => ({
  type: "assistant",
  message: { role: "assistant", content: [{ type: "text", text }] },
});
// What is printed is read in the same way where nothing can be shut in.
const unsandboxed = "allowed";
const lines = (...all: object[]) => all.map((line) => JSON.stringify(line));

agentContract(
  "cursor (a stand-in)",
  (plan, folder) => {
    const runs = plan.map((one) => planned(one, (answer) => lines(INIT, { ...RESULT, result: answer })));
    return cursorAgent({ command: standIn(folder, runs), writable: [folder], unsandboxed });
  },
  { hangs: "can" },
);

async function ran(run: StandInRun, request: Partial<AgentRequest> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-cursor-")));
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "anneal-cursor-")));
  onTestFinished(() => [folder, cwd].forEach((one) => void rmSync(one, { recursive: true, force: true })));
  const events: AgentEvent[] = [];
  const env = { CURSOR_API_KEY: "key-secret-0123456789" };
  const agent = cursorAgent({ command: standIn(folder, [run]), writable: [folder], env, unsandboxed });
  const result = await agent.run(
    {
      ...{ role: "reviewer", prompt: "Look.", cwd, limits: { timeoutMs: 60_000 } },
      ...{ onEvent: (event: AgentEvent) => events.push(event), ...request },
    },
    new AbortController().signal,
  );
  return { run: result, events, asked: () => JSON.parse(readFileSync(join(folder, "asked.json"), "utf8")) };
}

describe("what cursor prints", () => {
  test("its words, tools and results are events; keys are not", async () => {
    const call = (subtype: string, its: object) => ({ type: "tool_call", subtype, tool_call: { readToolCall: its } });
    const { run, events } = await ran({
      stdout: lines(
        INIT,
        said("My key is key-secret-0123456789."),
        call("started", { args: { path: "a" } }),
        call("completed", { args: { path: "a" }, result: { success: { content: "one" } } }),
        RESULT,
      ),
    });
    expect(events).toEqual([
      { kind: "text", text: "My key is [redacted]." },
      { kind: "tool", name: "readToolCall", detail: '{"path":"a"}' },
      { kind: "result", name: "readToolCall", detail: '{"success":{"content":"one"}}' },
    ]);
    expect(run).toEqual({ status: "finished", text: "Fine.", model: "GPT-5", usage: {} });
  });

  test.for([
    { what: "an error flag", stdout: [{ ...RESULT, is_error: true }], is: {} },
    { what: "no error flag at all", stdout: [{ ...RESULT, is_error: undefined }], is: {} },
    { what: "an exit code after the result", stdout: [RESULT], exit: 1, is: {}, says: UNUSED },
    { what: "an empty result", stdout: [{ ...RESULT, result: " " }], is: {} },
    {
      what: "nobody signed in",
      stderr: ["Error: Not logged in. Run cursor-agent login"],
      exit: 1,
      is: { lasting: true },
    },
    { what: "an old version", stderr: ["error: unknown option '--trust'"], exit: 1, is: { lasting: true } },
    { what: "a limit", stderr: ["Error: 429 Too Many Requests"], exit: 1, is: { rateLimited: { retryAfterMs: null } } },
  ])("$what is a failure", async ({ stdout = [], stderr = [], exit = 0, is, says = /./ }) => {
    const { run } = await ran({ stdout: lines(INIT, ...stdout), stderr, exit });
    expect(run).toMatchObject({ error: expect.stringMatching(says) });
    expect(run).toMatchObject({ status: "failed", text: "", error: expect.stringMatching(/^cursor failed: ./), ...is });
    expect([run.lasting, run.rateLimited].filter((one) => one !== undefined)).toHaveLength(Object.keys(is).length);
  });
});

test.for([
  { role: "reviewer", flags: ["--mode", "ask"] },
  { role: "analyst", flags: ["--mode", "ask"] },
  { role: "fixer", flags: ["--force"] },
  { role: "implementer", flags: ["--force"] },
] as const)("as $role cursor is started with $flags, the prompt on stdin", async ({ role, flags }) => {
  const prompt = "p".repeat(1_000_000);
  const { asked } = await ran({ stdout: lines(INIT, RESULT) }, { role, prompt, model: "gpt-5" });
  const { args, input } = asked();
  expect(args).toEqual(["-p", "--output-format", "stream-json", "--trust", ...flags, "--model=gpt-5"]);
  expect(input).toBe(prompt);
});
