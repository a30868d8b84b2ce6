import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { AgentRequest } from "../../ports.ts";
import { agentContract } from "../../testing/agent-contract.ts";
import { planned, type StandInRun, standIn } from "../cli/testing/stand-in.ts";
import { commandAgent } from "./index.ts";

// What is printed is read in the same way where nothing can be shut in.
const unsandboxed = "allowed";

agentContract(
  "command",
  (plan, folder) => {
    const runs = plan.map((one) =>
      planned(one, (answer) => [
        "{",
        one.structured ? `"structured": ${answer}` : `"text": ${JSON.stringify(answer)}`,
        "}",
      ]),
    );
    return commandAgent({ command: standIn(folder, runs), writable: [folder], unsandboxed });
  },
  { hangs: "can" },
);

async function ran(run: StandInRun, request: Partial<AgentRequest> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-command-")));
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "anneal-command-")));
  onTestFinished(() => [folder, cwd].forEach((one) => void rmSync(one, { recursive: true, force: true })));
  const agent = commandAgent({ name: "mine", command: standIn(folder, [run]), writable: [folder], unsandboxed });
  const asked: AgentRequest = { role: "reviewer", prompt: "Look.", cwd, limits: { timeoutMs: 60_000 }, ...request };
  const result = await agent.run(asked, new AbortController().signal);
  return { run: result, asked: () => JSON.parse(readFileSync(join(folder, "asked.json"), "utf8")) };
}

describe("what a command prints", () => {
  test.for([
    { what: "a text", answer: { text: "Fine." }, is: { text: "Fine.", usage: {} } },
    {
      what: "everything",
      answer: { text: "Fine.", structured: { ok: true }, model: "m", usage: { inputTokens: 7, costUsd: 0.5 } },
      is: { text: "Fine.", structured: { ok: true }, model: "m", usage: { inputTokens: 7, costUsd: 0.5 } },
    },
    {
      what: "only what was asked for",
      answer: { ok: true },
      is: { text: '{"ok":true}', structured: { ok: true }, usage: {} },
    },
    {
      what: "numbers that are none",
      answer: { text: "Fine.", usage: { inputTokens: -1, outputTokens: "5", costUsd: 1e308 } },
      is: { text: "Fine.", usage: {} },
    },
    { what: "nothing but prose", printed: ["APPROVED", "", "Fine."], is: { text: "APPROVED\n\nFine.", usage: {} } },
    { what: "prose around JSON", printed: ["Here:", '{"ok":true}'], is: { text: 'Here:\n{"ok":true}', usage: {} } },
    { what: "JSON in a fence", printed: ["```json", "{}", "```"], is: { text: "```json\n{}\n```", usage: {} } },
  ])("$what is an answer", async ({ answer, printed = [JSON.stringify(answer, null, 2)], is }) => {
    const { run } = await ran({ stdout: printed, stderr: ["a remark"] });
    expect(run).toEqual({ status: "finished", ...is });
  });

  test.for([
    { what: "in one line", stdout: ["x".repeat(17_000_000)] },
    { what: "in many lines", stdout: Array.from({ length: 17 }, () => "x".repeat(1_000_000)) },
  ])("an answer that is too long $what names the limit, and is not asked for again", async ({ stdout }) => {
    const { run } = await ran({ stdout });
    expect(run).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining("16 MB") });
  });

  test.for([
    { what: "prose behind JSON", stdout: ['{"text":"Fine."}', "Done."], is: {} },
    { what: "two objects", stdout: ['{"text":"Fine."}', '{"text":"Bad."}'], is: {} },
    { what: "two texts in one object", stdout: ['{"text":"Bad.","text":"Fine."}'], is: {} },
    { what: "half an object", stdout: ['{"text":"Fi'], is: {} },
    { what: "nothing", stdout: [], is: {} },
    { what: "white space", stdout: ["  ", ""], is: {} },
    { what: "an empty text", stdout: ['{"text":""}'], is: {} },
    { what: "a number as text", stdout: ['{"text":1}'], is: {} },
    { what: "an exit code after an answer", stdout: ['{"text":"Fine."}'], exit: 1, is: {} },
    { what: "no key", stdout: [], stderr: ["401: invalid api key"], exit: 1, is: { lasting: true } },
    { what: "an overload", stdout: [], stderr: ["Overloaded"], exit: 1, is: { rateLimited: { retryAfterMs: null } } },
  ])("$what is a failure", async ({ stdout, stderr = [], exit = 0, is }) => {
    const { run } = await ran({ stdout, stderr, exit });
    expect(run).toMatchObject({ status: "failed", text: "", error: expect.stringMatching(/^mine failed: ./), ...is });
    expect([run.lasting, run.rateLimited].filter((one) => one !== undefined)).toHaveLength(Object.keys(is).length);
  });
});

test("a command gets the prompt on stdin, and role, model and schema in its environment", async () => {
  const prompt = "p".repeat(1_000_000);
  const { asked } = await ran({ stdout: ["{}"] }, { prompt, model: "m", schema: { type: "object" } });
  const { args, input, env } = asked();
  expect([args, input]).toEqual([[], prompt]);
  expect(env).toMatchObject({ ANNEAL_ROLE: "reviewer", ANNEAL_MODEL: "m" });
  expect(env.ANNEAL_SCHEMA).toMatch(/schema\.json$/);
});

test("where the program is missing, the error says what to correct", async () => {
  const agent = commandAgent({ command: ["/nowhere/agent"] });
  const request: AgentRequest = { role: "fixer", prompt: "", cwd: tmpdir(), limits: { timeoutMs: 10_000 } };
  const run = await agent.run(request, new AbortController().signal);
  expect(run).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining("/nowhere/agent") });
});
