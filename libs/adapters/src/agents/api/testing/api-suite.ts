import { type ScriptedModel, type ScriptStep, startScriptedModel } from "@anneal/scripted-model";
import { afterEach, describe, expect, test } from "vitest";
import type { Agent, AgentEvent, AgentRequest, AgentRun } from "../../../ports.ts";
import { agentContract, type PlannedRun } from "../../../testing/agent-contract.ts";
import type { ApiSetup } from "../api-agent.ts";

export interface ApiUnderTest {
  name: string;
  make(setup: ApiSetup): Agent;
  keyVariable: string;
  /** The variables that lead it to the scripted model. */
  env(url: string): Record<string, string>;
}

const KEY = "sk-test-0123456789-secret";
const SCHEMA = {
  type: "object",
  properties: { verdict: { type: "string" }, note: { type: "string" } },
  required: ["verdict"],
  additionalProperties: false,
};

/** What holds for every agent that is only a provider's API. */
export function apiSuite({ name, make, keyVariable, env }: ApiUnderTest): void {
  const models: ScriptedModel[] = [];
  afterEach(async () => {
    await Promise.all(models.splice(0).map((model) => model.close()));
  });

  async function playing(steps: readonly ScriptStep[]): Promise<ScriptedModel> {
    const model = await startScriptedModel({ steps, isSide: () => false });
    models.push(model);
    return model;
  }

  const agentOn = (url: string, setup: ApiSetup = {}) => make({ ...setup, env: { [keyVariable]: KEY, ...env(url) } });

  async function answered(step: ScriptStep, over: Partial<AgentRequest> = {}): Promise<AgentRun> {
    const model = await playing([step]);
    return await agentOn(model.url).run({ ...REQUEST, ...over }, new AbortController().signal);
  }

  agentContract(name, async (plan) => agentOn((await playing(plan.map(stepOf))).url), {
    hangs: "can",
    writes: "cannot",
  });

  describe(`${name} over its API`, () => {
    test("a schema that was asked for gives a structured answer, and the model and all tokens are reported", async () => {
      const model = await playing([
        { structured: { verdict: "pass" }, usage: { input: 10, cacheRead: 5, cacheWrite: 2, output: 7 } },
      ]);
      const run = await agentOn(model.url).run({ ...REQUEST, schema: SCHEMA, model: "m-1" }, never());
      expect(run).toMatchObject({ status: "finished", structured: { verdict: "pass" }, model: "m-1" });
      expect(run.usage).toEqual({ inputTokens: 17, cachedInputTokens: 5, outputTokens: 7 });
      expect(model.requests).toHaveLength(1);
      expect(model.requests[0]).toMatchObject({ structuredBy: "text", stream: true, authorized: true, tools: [] });
    });

    test("its words arrive while it speaks, and never the key", async () => {
      const events: AgentEvent[] = [];
      const run = await answered(
        { text: `first line\nthe key is ${KEY}\nend` },
        { onEvent: (event) => events.push(event) },
      );
      expect(run.text).toBe("first line\nthe key is [redacted]\nend");
      expect(events.map((event) => (event.kind === "text" ? event.text : ""))).not.toEqual([]);
      expect(JSON.stringify(events)).not.toContain(KEY);
      expect(events.map((event) => ("text" in event ? event.text : "")).join("")).toBe(run.text);
    });

    test("a prompt of a megabyte arrives whole", async () => {
      const model = await playing([{ text: "ok" }]);
      const prompt = `${"é".repeat(500_000)}!`;
      expect(await agentOn(model.url).run({ ...REQUEST, prompt }, never())).toMatchObject({ status: "finished" });
      expect(JSON.stringify(model.requests[0]?.body)).toContain(prompt);
    });

    test.for<{ what: string; step: ScriptStep; run: object }>([
      { what: "401", step: { status: 401 }, run: { lasting: true, error: expect.stringContaining(keyVariable) } },
      { what: "403", step: { status: 403 }, run: { lasting: true } },
      { what: "404", step: { status: 404 }, run: { lasting: true, error: expect.stringContaining("model") } },
      { what: "429", step: { status: 429, retryAfter: 7 }, run: { rateLimited: { retryAfterMs: 7_000 } } },
      { what: "500", step: { status: 500 }, run: { rateLimited: { retryAfterMs: null } } },
      { what: "529", step: { status: 529 }, run: { rateLimited: { retryAfterMs: null } } },
      { what: "400", step: { status: 400 }, run: {} },
      { what: "garbage", step: { garbage: true }, run: {} },
      { what: "a cut line", step: { cut: true }, run: {} },
      { what: "an answer without an end", step: { text: "APPROVED", stop: "length" }, run: { error: /cut off/ } },
      { what: "a refusal", step: { text: "I will not.", stop: "refusal" }, run: { error: /refused/ } },
    ])("$what is failed after one request, sorted by what can be done about it", async ({ step, run }) => {
      const model = await playing([step, { text: "APPROVED" }]);
      const { error, ...rest } = run as { error?: unknown };
      const got = await agentOn(model.url).run(REQUEST, never());
      expect(got).toMatchObject({ status: "failed", ...rest });
      expect(got.error).toEqual(error instanceof RegExp ? expect.stringMatching(error) : (error ?? expect.any(String)));
      expect([got.lasting === true, got.rateLimited !== undefined]).toEqual(["lasting" in run, "rateLimited" in run]);
      expect(JSON.stringify(got)).not.toContain(KEY);
      expect(model.requests).toHaveLength(1);
    });

    test("an answer that is not the JSON that was asked for is failed", async () => {
      expect(await answered({ text: "APPROVED" }, { schema: SCHEMA })).toMatchObject({ status: "failed" });
      expect(await answered({ text: '{"verdict": "pa', stop: "length" }, { schema: SCHEMA })).toMatchObject({
        status: "failed",
      });
    });

    test("nobody at the address is something to wait for", async () => {
      const model = await playing([]);
      await model.close();
      const run = await agentOn(model.url).run(REQUEST, never());
      expect(run).toMatchObject({ status: "failed", rateLimited: { retryAfterMs: null } });
    });

    test("without a key it fails at once, and says which variable is missing", async () => {
      const run = await make({ env: { [keyVariable]: "" } }).run(REQUEST, never());
      expect(run).toMatchObject({ status: "failed", lasting: true, error: expect.stringContaining(keyVariable) });
    });

    test("a line that goes silent in the middle is timed out, a slow one is not", async () => {
      const limits = { timeoutMs: 60_000, silenceMs: 2_000 };
      expect(await answered({ hang: "mid-stream" }, { limits })).toMatchObject({ status: "timed-out" });
      const slow = await answered({ drip: { text: "slow but there", everyMs: 20 } }, { limits });
      expect(slow).toMatchObject({ status: "finished", text: "slow but there" });
    });

    test("a cancelled run lets go of the connection", async () => {
      const model = await playing([{ hang: "mid-stream" }]);
      const stop = new AbortController();
      const run = agentOn(model.url).run(REQUEST, stop.signal);
      await model.until((requests) => requests.length === 1);
      stop.abort();
      expect(await run).toMatchObject({ status: "cancelled" });
      await model.until(([request]) => request?.outcome === "aborted");
    });

    test("how much it may write is passed on", async () => {
      const model = await playing([{ text: "ok" }]);
      await agentOn(model.url, { maxOutputTokens: 1234 }).run(REQUEST, never());
      expect(Object.values(model.requests[0]?.body as object)).toContain(1234);
    });
  });
}

const REQUEST: AgentRequest = { role: "analyst", prompt: "Look.", cwd: "/", limits: { timeoutMs: 60_000 } };

function never(): AbortSignal {
  return new AbortController().signal;
}

function stepOf({ answer, end }: PlannedRun): ScriptStep {
  if (end === "hang") return { hang: true };
  if (end === "crash") return { cut: true, text: answer };
  return end === "finished" ? { text: answer } : { garbage: true };
}
