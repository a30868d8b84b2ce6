import { request } from "node:http";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen, serverWorld, type World } from "./testing/server-world.ts";

let world: World;
beforeAll(async () => {
  world = await serverWorld({ projects: 2, features: 2 });
});
afterAll(() => world[Symbol.asyncDispose]());

const project = () => world.ids[0] ?? "";

describe("who is let in", () => {
  test.for(["/api/projects", "/api/docs/json", "/api/review-loop/f1/status", "/", "/api/nothing"])(
    "%s without credentials: 401, and what to do",
    async (path) => {
      const { status, body } = await world.call("GET", path, undefined, { "x-api-key": "wrong" });
      expect([status, body]).toEqual([
        401,
        { success: false, code: "unauthorised", error: expect.stringContaining("open the login link") },
      ]);
    },
  );

  test("a browser comes in by its link, once, and goes out again", async () => {
    const link = new URL(world.server.loginUrl());
    const first = await fetch(link, { redirect: "manual" });
    expect([first.status, first.headers.get("location")]).toEqual([302, "/"]);
    const set = first.headers.get("set-cookie") ?? "";
    expect(set).toMatch(/^anneal_session_\d+=[\w.-]{40,}; Path=\/; HttpOnly; SameSite=Strict$/);
    expect((await fetch(link, { redirect: "manual" })).status).toBe(401);
    const cookie = set.split(";")[0] ?? "";
    const again = await fetch(link, { redirect: "manual", headers: { cookie } });
    expect([again.status, again.headers.get("location"), again.headers.get("set-cookie")]).toEqual([302, "/", null]);
    const ask = async (method: string, path: string) =>
      (await fetch(`${world.server.url}${path}`, { method, headers: { cookie } })).status;
    expect(await ask("GET", "/api/projects")).toBe(200);
    expect(await ask("POST", "/api/logout")).toBe(204);
    expect(await ask("GET", "/api/projects")).toBe(401);
  });

  test.for(["/login?code=used", "/login"])(
    "%s in a browser that is not logged in says how to come in",
    async (path) => {
      const headers = { accept: "text/html,*/*;q=0.8", "x-api-key": "wrong" };
      const { status, headers: told, body } = await world.call("GET", path, undefined, headers);
      expect([status, told.get("content-type")]).toEqual([401, "text/html; charset=utf-8"]);
      expect(body).toContain("<code>anneal serve</code> prints a new one at every start");
    },
  );

  test.for([
    { header: "host", value: "evil.example:80" },
    { header: "host", value: "localhost" },
    { header: "origin", value: "http://evil.example" },
    { header: "origin", value: "null" },
  ])("a foreign $header ($value) is refused", async ({ header, value }) => {
    const { port } = new URL(world.server.url);
    const status = await new Promise((resolve, reject) => {
      const asked = request(
        {
          port,
          host: "127.0.0.1",
          path: "/api/health",
          headers: { "x-api-key": world.server.token, [header]: value },
        },
        (response) => resolve(response.resume().statusCode),
      );
      asked.on("error", reject).end();
    });
    expect(status).toBe(403);
  });

  test("answers carry the usual headers, and no secret", async () => {
    const { headers, body } = await world.call("GET", "/api/projects");
    expect(headers.get("content-security-policy")).toContain("default-src 'self'");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(JSON.stringify(body)).not.toContain(world.server.token);
    expect(world.lines.join("\n")).not.toContain(world.server.token);
  });
});

describe("what is wrong is told with its place", () => {
  test.for<{ what: string; ask: () => [string, string, unknown?]; status: number; says: RegExp }>([
    {
      what: "an unknown project",
      ask: () => ["GET", "/api/projects/none/items"],
      status: 404,
      says: /no project none; known: /,
    },
    {
      what: "an id that leaves its folder",
      ask: () => ["GET", "/api/projects/..%2F..%2Fetc/items"],
      status: 400,
      says: /^project: /,
    },
    {
      what: "a page of no size",
      ask: () => ["GET", `/api/projects/${project()}/items?limit=0`],
      status: 400,
      says: /^limit: /,
    },
    {
      what: "an unknown item",
      ask: () => ["POST", `/api/projects/${project()}/items/nothing/start`],
      status: 404,
      says: /nothing/,
    },
    {
      what: "an unknown word",
      ask: () => ["POST", `/api/projects/${project()}/items/f2/signal`, { signal: "explode" }],
      status: 400,
      says: /^signal: .*"skip"/,
    },
    {
      what: "a key that is not known",
      ask: () => ["POST", `/api/projects/${project()}/items/f2/signal`, { signal: "stop", force: true }],
      status: 400,
      says: /force/,
    },
    {
      what: "a word to an item without a loop",
      ask: () => ["POST", `/api/projects/${project()}/items/f2/signal`, { signal: "stop" }],
      status: 409,
      says: /f2 has no loop yet/,
    },
    { what: "JSON that is none", ask: () => ["PATCH", `/api/projects/${project()}`, "{"], status: 400, says: /JSON/ },
    {
      what: "a body that is too large",
      ask: () => ["PATCH", `/api/projects/${project()}`, `"${"x".repeat(2 ** 21)}"`],
      status: 413,
      says: /too large/i,
    },
    { what: "a cursor that is none", ask: () => ["GET", "/api/events?since=%25"], status: 400, says: /^since: / },
    {
      what: "a number as cursor of several projects",
      ask: () => ["GET", "/api/events?since=3"],
      status: 400,
      says: /^since: /,
    },
    {
      what: "a feature that is in two projects",
      ask: () => ["GET", "/api/review-loop/f1/status"],
      status: 409,
      says: /several projects: choose one with projectPath/,
    },
    {
      what: "a feature that is nowhere",
      ask: () => ["GET", "/api/review-loop/f9/status"],
      status: 404,
      says: /no feature f9/,
    },
    {
      what: "a feature's id with a path in it",
      ask: () => ["GET", "/api/review-loop/..%2Fx/status"],
      status: 400,
      says: /^featureId: /,
    },
    {
      what: "a folder that is no project here",
      ask: () => ["GET", "/api/review-loop/f1/status?projectPath=/etc"],
      status: 404,
      says: /projectPath is not a project/,
    },
    {
      what: "a path that is not there",
      ask: () => ["GET", "/api/nothing"],
      status: 404,
      says: /no route GET \/api\/nothing/,
    },
  ])("$what: $status", async ({ ask, status, says }) => {
    const [method, path, body] = ask();
    const answer = await world.call(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ success: false, error: expect.stringMatching(says) });
  });
});

describe("the review loop of seed 001", () => {
  test("a loop that leads to no pull request has its reviews; its words are refused with the reason", async () => {
    const projectPath = world.roots[1] ?? "";
    const stream = await listen(world, { project: world.ids[1] ?? "" });
    const started = await world.call("POST", "/api/review-loop/f1/start", { projectPath });
    expect(started).toMatchObject({
      status: 202,
      body: { success: true, featureId: "f1", state: null, session: null },
    });
    await stream.until((frames) => frames.some(({ type }) => type === "feature:code-review-approved"));
    const at = `?projectPath=${encodeURIComponent(projectPath)}`;
    expect((await world.call("GET", `/api/review-loop/f1/history${at}`)).body).toEqual({
      success: true,
      featureId: "f1",
      iterations: [expect.objectContaining({ iteration: 1, verdict: "pass", issues: [] })],
    });
    for (const word of ["skip", "retry", "refine", "ready"]) {
      const { status, body } = await world.call("POST", `/api/review-loop/f1/${word}`, { projectPath });
      expect([status, body]).toEqual([
        409,
        expect.objectContaining({ code: "conflict", error: expect.stringMatching(/./) }),
      ]);
    }
  });
});

test("the description of the routes is a valid document of OpenAPI 3.1 that names them all", async () => {
  const { body } = await world.call("GET", "/api/docs/json");
  const document = body as { openapi: string; paths: Record<string, Record<string, unknown>> };
  expect(document.openapi).toBe("3.1.0");
  expect(Object.keys(document.paths)).toEqual(
    expect.arrayContaining([
      "/api/projects",
      "/api/projects/{project}/items",
      "/api/events",
      ...["start", "status", "history", "skip", "retry", "refine", "ready"].map(
        (word) => `/api/review-loop/{featureId}/${word}`,
      ),
    ]),
  );
});
