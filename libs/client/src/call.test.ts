import { describe, expect, test } from "vitest";
import { z } from "zod";
import { caller } from "./call.ts";
import { ApiProblem, annealClient } from "./index.ts";
import { addressOf, route } from "./route.ts";

interface Asked {
  url: string;
  init: RequestInit;
}

/** A server that gives one answer and keeps what it was asked. */
function answering(status: number, body: unknown, headers: Record<string, string> = {}) {
  const asked: Asked[] = [];
  const fetch = (async (url: string, init: RequestInit) => {
    asked.push({ url, init });
    const text = typeof body === "string" || body === null ? body : JSON.stringify(body);
    return new Response(text, { status, headers: { "content-type": "application/json", ...headers } });
  }) as unknown as typeof globalThis.fetch;
  return { asked, connection: { base: "http://here", token: "secret", fetch } };
}

const thing = route({
  method: "PUT",
  path: "/api/projects/:project/things/:thing",
  query: z.object({ deep: z.boolean().optional() }),
  body: z.strictObject({ name: z.string() }),
  answer: z.object({ name: z.string() }),
});
const params = { project: "p-1", thing: "a/b ?" };

describe("a request", () => {
  test("has its parameters in place, its body, its token and the ETag of what it changes", async () => {
    const { asked, connection } = answering(200, { name: "x" }, { etag: '"2"' });
    const given = { params, query: { deep: true }, body: { name: "x" }, ifMatch: '"1"' };
    expect(await caller(connection).ask(thing, given)).toEqual({ status: 200, etag: '"2"', body: { name: "x" } });
    expect(asked).toEqual([
      {
        url: "http://here/api/projects/p-1/things/a%2Fb%20%3F?deep=true",
        init: {
          method: "PUT",
          headers: {
            ...{ accept: "application/json", "content-type": "application/json", "if-match": '"1"' },
            "x-api-key": "secret",
          },
          body: '{"name":"x"}',
        },
      },
    ]);
  });

  test.for([
    { path: "/a", params: {}, query: {}, address: "/a" },
    { path: "/a/:b", params: { b: ".." }, query: { c: undefined, d: null }, address: "/a/.." },
    { path: "/a/:b/c", params: { b: "x y" }, query: { since: "a&b" }, address: "/a/x%20y/c?since=a%26b" },
  ])("for $path goes to $address", ({ path, params: given, query, address }) => {
    expect(addressOf(path, given, query)).toBe(address);
  });

  test("is a function of its group where it is asked by name", async () => {
    const { asked, connection } = answering(200, { projects: [] });
    expect(await annealClient(connection).projects.list()).toEqual({ projects: [] });
    expect(asked[0]?.url).toBe("http://here/api/projects");
  });

  test("for what has not changed gives null", async () => {
    const { asked, connection } = answering(304, null);
    expect(await caller(connection).askIfChanged(thing, { params, body: { name: "x" } }, '"1"')).toBeNull();
    expect(new Headers(asked[0]?.init.headers).get("if-none-match")).toBe('"1"');
  });
});

describe("a problem", () => {
  const refusalBody = {
    success: false,
    error: "name: a word",
    code: "bad-request",
    problems: [{ path: "name", message: "a word" }],
  };
  test.for([
    { what: "a refusal", status: 400, body: refusalBody, code: "bad-request", message: "name: a word", etag: null },
    {
      what: "a change by somebody else",
      status: 412,
      body: { success: false, error: "it was changed", code: "stale" },
      code: "stale",
      message: "it was changed",
      etag: '"9"',
    },
    {
      what: "a page of a proxy",
      status: 502,
      body: "<html>",
      code: "unreadable",
      message: "the server answered 502",
      etag: null,
    },
    {
      what: "JSON that is cut off",
      status: 200,
      body: '{"na',
      code: "unreadable",
      message: /in an unexpected format/,
      etag: null,
    },
    { what: "another form", status: 200, body: { title: 1 }, code: "unreadable", message: /name: /, etag: null },
  ])("is reported with its code: $what", async ({ status, body, code, message, etag }) => {
    const { connection } = answering(status, body, etag === null ? {} : { etag });
    const problem = await caller(connection)
      .call(thing, { params, body: { name: "x" } })
      .catch((error: unknown) => error);
    expect(problem).toBeInstanceOf(ApiProblem);
    expect(problem).toMatchObject({ code, status, etag, message: expect.stringMatching(message) });
    if (body === refusalBody) expect(problem).toMatchObject({ problems: refusalBody.problems });
  });

  test("is a server that does not answer", async () => {
    const fetch = () => Promise.reject(new TypeError("fetch failed"));
    await expect(caller({ fetch }).call(thing, { params, body: { name: "x" } })).rejects.toMatchObject({
      ...{ name: "ApiProblem", code: "unreachable", status: 0 },
    });
  });
});
