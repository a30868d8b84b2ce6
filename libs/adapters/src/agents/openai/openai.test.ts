import { startScriptedModel } from "@anneal/scripted-model";
import { expect, test } from "vitest";
import { apiSuite } from "../api/testing/api-suite.ts";
import { openaiAgent } from "./index.ts";

apiSuite({
  name: "openai",
  make: openaiAgent,
  keyVariable: "OPENAI_API_KEY",
  env: (url) => ({ OPENAI_BASE_URL: `${url}/v1` }),
});

const request = { role: "reviewer", prompt: "x", cwd: "/", limits: { timeoutMs: 60_000 } } as const;

async function asked(over: { prompt?: string; schema?: object }, structured: unknown = {}) {
  await using server = await startScriptedModel({ steps: [{ structured }], isSide: () => false });
  const agent = openaiAgent({ env: { OPENAI_API_KEY: "sk-0123456789", OPENAI_BASE_URL: `${server.url}/v1` } });
  const run = await agent.run({ ...request, ...over }, new AbortController().signal);
  return { run, body: server.requests[0]?.body as Record<string, unknown> };
}

test("what stays the same from run to run is the instructions, with a key for the cache of its own", async () => {
  const rest = (diff: string) => `\n\n---\n\n## Data\n\n${diff}`;
  const { body: first } = await asked({ prompt: `Judge well.${rest("one")}` });
  const { body: second } = await asked({ prompt: `Judge well.${rest("two")}` });
  const { body: other } = await asked({ prompt: `Judge badly.${rest("two")}` });
  expect(first).toMatchObject({ instructions: "Judge well.", input: rest("one").slice(2), store: false });
  expect(first.prompt_cache_key).toBe(second.prompt_cache_key);
  expect(other.prompt_cache_key).not.toBe(second.prompt_cache_key);
});

test("the schema is strict, and fields that may be left out are null on the way only", async () => {
  const schema = {
    type: "object",
    properties: {
      findings: {
        type: "array",
        items: {
          type: "object",
          properties: { file: { type: "string" }, line: { type: "number" }, kept: { type: ["string", "null"] } },
          required: ["file"],
          additionalProperties: false,
        },
      },
      note: { type: "string" },
    },
    required: ["findings"],
    additionalProperties: false,
  };
  const answer = {
    findings: [
      { file: "a", line: null, kept: null },
      { file: "b", line: 2, kept: "x" },
    ],
    note: null,
  };
  const { run, body } = await asked({ schema }, answer);
  expect(body.text).toMatchObject({ format: { type: "json_schema", strict: true, name: "answer" } });
  expect(JSON.stringify(body.text)).toContain('"required":["file","line","kept"]');
  expect(run.structured).toEqual({
    findings: [
      { file: "a", kept: null },
      { file: "b", line: 2, kept: "x" },
    ],
  });
});

test("a schema that strict mode cannot say is passed on as it is", async () => {
  const schema = { type: "object", additionalProperties: { type: "number" } };
  const { run, body } = await asked({ schema }, { a: 1 });
  expect(body.text).toMatchObject({ format: { strict: false, schema } });
  expect(run.structured).toEqual({ a: 1 });
});
