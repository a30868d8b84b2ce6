import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_REVIEW_LOOP_CONFIG, SECRET_SET } from "@anneal/types";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serverWorld, type World } from "../../testing/server-world.ts";

let world: World;
let original: string;
beforeAll(async () => {
  world = await serverWorld({ projects: 2 });
  original = readFileSync(file("project"), "utf8");
});
afterAll(() => world[Symbol.asyncDispose]());
beforeEach(() => {
  rmSync(file("global"), { force: true });
  writeFileSync(file("project"), original);
});

type Scope = "global" | "project";
interface Shown {
  settings: Record<string, unknown> | null;
  inForce: Record<string, unknown>;
  version: string;
  exists: boolean;
  problem: string | null;
  problems: { path: string; message: string }[];
  stopsLoops: boolean;
}

const file = (scope: Scope) =>
  scope === "global"
    ? join(world.folder, "data/settings.json")
    : join(world.roots[0] ?? "", ".automaker/settings.json");
const at = (scope: Scope) => (scope === "global" ? "/api/settings" : `/api/projects/${world.ids[0]}/settings`);
const write = (scope: Scope, content: unknown) =>
  writeFileSync(file(scope), typeof content === "string" ? content : JSON.stringify(content));
const onDisk = (scope: Scope) => JSON.parse(readFileSync(file(scope), "utf8"));

async function get(scope: Scope) {
  const { status, headers, body } = await world.call("GET", at(scope));
  return { status, etag: headers.get("etag") ?? "", body: body as Shown };
}

async function change(method: "PUT" | "PATCH", scope: Scope, body: unknown, etag?: string) {
  const tag = etag ?? (await get(scope)).etag;
  return await world.call(method, at(scope), body, { "if-match": tag });
}

describe.each(["global", "project"] as const)("the %s settings", (scope) => {
  test("are shown with an ETag, and not sent again to those who have them", async () => {
    write(scope, { maxConcurrency: 2, theirs: { deep: [1] } });
    const { status, etag, body } = await get(scope);
    expect(status).toBe(200);
    expect(etag).toBe(`"${body.version}"`);
    expect(body).toMatchObject({ scope, exists: true, problem: null, problems: [], stopsLoops: false });
    expect(body.settings).toEqual({ maxConcurrency: 2, theirs: { deep: [1] } });
    expect(body.inForce).toEqual({ maxConcurrency: 2 });
    const again = await world.call("GET", at(scope), undefined, { "if-none-match": etag });
    expect(again.status).toBe(304);
  });

  test("are made by the first change where there is no file", async () => {
    rmSync(file(scope), { force: true });
    const before = await get(scope);
    expect(before).toMatchObject({ etag: '"none"', body: { exists: false, settings: {} } });
    const { status } = await change("PATCH", scope, { maxConcurrency: 5 });
    expect(status).toBe(200);
    expect(onDisk(scope)).toEqual({ version: scope === "global" ? 4 : 1, maxConcurrency: 5 });
  });

  test("PATCH merges, null takes away, and what it does not name stays to the byte", async () => {
    write(scope, '{ "theirs":  1,\n "maxConcurrency": 2, "reviewLoop": {"maxIterations": 4, "enabled": false} }');
    const { status, body, headers } = await change("PATCH", scope, {
      maxConcurrency: null,
      reviewLoop: { maxIterations: 6 },
    });
    expect(status).toBe(200);
    expect(headers.get("etag")).toBe(`"${(body as Shown).version}"`);
    expect(readFileSync(file(scope), "utf8")).toContain('"theirs":  1');
    expect(onDisk(scope)).toEqual({ theirs: 1, reviewLoop: { maxIterations: 6, enabled: false } });
  });

  test("PUT replaces what Anneal knows; keys of other tools stay", async () => {
    write(scope, { version: scope === "global" ? 4 : 1, theirs: 1, maxConcurrency: 2, forge: "none" });
    expect((await change("PUT", scope, { maxConcurrency: 3 })).status).toBe(200);
    expect(onDisk(scope)).toEqual({ version: scope === "global" ? 4 : 1, theirs: 1, maxConcurrency: 3 });
  });

  test.for([
    { patch: { maxConcurrency: 0 }, path: "maxConcurrency", says: />=1/ },
    {
      patch: { reviewLoop: { severityThreshold: "huge" } },
      path: "reviewLoop.severityThreshold",
      says: /one of "critical", "high", "medium", "low", "suggestion"/,
    },
    {
      patch: { reviewLoop: { notificationChannels: ["pigeon"] } },
      path: "reviewLoop.notificationChannels[0]",
      says: /"github", "slack", "email"/,
    },
    { patch: { budgets: { tokens: -1 } }, path: "budgets.tokens", says: /./ },
    {
      patch: { providers: { anthropic: { maxConcurency: 1 } } },
      path: "providers.anthropic",
      says: /unknown key maxConcurency/,
    },
    { patch: { policies: [{ name: "x" }] }, path: "policies[0].title", says: /./ },
    { patch: { analytics: { minutesPerFinding: -1 } }, path: "analytics.minutesPerFinding", says: /./ },
  ])("a bad value at $path is refused with its place, and nothing is written", async ({ patch, path, says }) => {
    write(scope, { maxConcurrency: 2 });
    const { status, body } = await change("PATCH", scope, patch);
    expect(status).toBe(400);
    const { problems } = body as { problems: { path: string; message: string }[] };
    expect(problems).toContainEqual({ path, message: expect.stringMatching(says) });
    expect(onDisk(scope)).toEqual({ maxConcurrency: 2 });
  });

  test("without If-Match a change is refused, and with an old one it is stale and tells the new one", async () => {
    write(scope, { maxConcurrency: 2 });
    const old = (await get(scope)).etag;
    const missing = await world.call("PATCH", at(scope), { maxConcurrency: 3 });
    expect([missing.status, missing.body]).toEqual([
      400,
      expect.objectContaining({ error: expect.stringContaining("If-Match") }),
    ]);
    write(scope, { maxConcurrency: 7 });
    const now = (await get(scope)).etag;
    for (const method of ["PATCH", "PUT"] as const) {
      const late = await change(method, scope, { maxConcurrency: 3 }, old);
      expect([late.status, late.headers.get("etag"), late.body]).toEqual([
        412,
        now,
        expect.objectContaining({ code: "stale", etag: now }),
      ]);
    }
    expect(onDisk(scope)).toEqual({ maxConcurrency: 7 });
  });

  test("of changes at the same time with one ETag exactly one wins", async () => {
    write(scope, { maxConcurrency: 1 });
    const { etag } = await get(scope);
    const answers = await Promise.all(
      [2, 3, 4, 5].map((maxConcurrency) => change("PATCH", scope, { maxConcurrency }, etag)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412, 412, 412]);
  });

  test("a bad value is told with what is in force, the file stays, and a change has to wait until it is mended", async () => {
    write(scope, { maxConcurrency: 6, budgets: { tokens: 5 } });
    await get(scope);
    const text = '{ "maxConcurrency": "many", "budgets": { "tokens": 7 } }';
    write(scope, text);
    const { body, etag } = await get(scope);
    expect(body).toMatchObject({
      settings: { maxConcurrency: "many" },
      inForce: { maxConcurrency: 6, budgets: { tokens: 7 } },
      problem: expect.stringContaining("settings.json:1:"),
      problems: [{ path: "maxConcurrency", message: "expected number, received string" }],
      stopsLoops: false,
    });
    const refused = await change("PATCH", scope, { maxConcurrency: 2 }, etag);
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ error: expect.stringContaining("fix the file, or replace all of it with PUT") }),
    ]);
    expect(readFileSync(file(scope), "utf8")).toBe(text);
  });

  test.for(['{ "maxConcurrency": 7', "[]", ""])(
    "of the damaged file %o everything stays in force; PUT replaces it and keeps the old text beside it",
    async (text) => {
      write(scope, { maxConcurrency: 7 });
      await get(scope);
      write(scope, text);
      const { body, etag } = await get(scope);
      expect(body).toMatchObject({
        settings: null,
        inForce: { maxConcurrency: 7 },
        stopsLoops: true,
        problem: expect.any(String),
      });
      expect((await change("PUT", scope, { maxConcurrency: 3 }, etag)).status).toBe(200);
      expect(onDisk(scope)).toEqual({ maxConcurrency: 3 });
      const folder = join(file(scope), "..");
      const kept = readdirSync(folder).filter((name) => name === `settings.json.bad-${body.version.slice(0, 12)}`);
      expect(kept.map((name) => readFileSync(join(folder, name), "utf8"))).toEqual([text]);
      for (const name of kept) rmSync(join(folder, name));
    },
  );

  test.for(['{"__proto__":{"x":1}}', '{"a":{"constructor":{"prototype":{"x":1}}}}', "[]", "3", "{"])(
    "%s is no change",
    async (body) => {
      expect((await change("PATCH", scope, body)).status).toBe(400);
      expect(({} as Record<string, unknown>).x).toBeUndefined();
    },
  );

  test("what is too large is refused, and so is who is not logged in", async () => {
    expect((await change("PUT", scope, { theirs: "x".repeat(2 ** 21) })).status).toBe(413);
    for (const method of ["GET", "PUT", "PATCH"])
      expect(
        (await world.call(method, at(scope), method === "GET" ? undefined : {}, { "x-api-key": "no" })).status,
      ).toBe(401);
  });
});

describe("secrets", () => {
  const setup = {
    agentSetup: { house: { kind: "command", command: ["house"], env: { HOUSE_KEY: "hunter2hunter2", MODE: "x" } } },
  };
  const theirs = {
    slackWebhookUrl: "https://hooks.example/T/B/secret",
    apiKey: "k-123",
    note: "plain",
    nested: { headers: { Authorization: "Bearer abc" } },
    registry: { auth: "dXNlcjpwYXNz", login: { auth: { user: "ada", pass: "p4ss" } } },
  };

  test("are never sent, and stay when their cover is sent back", async () => {
    write("global", { ...setup, ...theirs, forge: "https://me:pass@forge.example/x" });
    const { body, etag } = await get("global");
    expect(body.settings).toEqual({
      agentSetup: { house: { kind: "command", command: ["house"], env: { HOUSE_KEY: SECRET_SET, MODE: SECRET_SET } } },
      slackWebhookUrl: SECRET_SET,
      apiKey: SECRET_SET,
      note: "plain",
      nested: { headers: { Authorization: SECRET_SET } },
      registry: { auth: SECRET_SET, login: { auth: { user: SECRET_SET, pass: SECRET_SET } } },
      forge: SECRET_SET,
    });
    const effective = await world.call("GET", `${at("project")}/effective`);
    for (const secret of ["hunter2hunter2", "pass@", "Bearer abc"])
      expect(JSON.stringify([body, effective.body])).not.toContain(secret);
    expect((await change("PUT", "global", { ...body.settings, maxConcurrency: 2 }, etag)).status).toBe(200);
    const env = { HOUSE_KEY: SECRET_SET, MODE: null, MORE: "new" };
    expect((await change("PATCH", "global", { agentSetup: { house: { env } } })).status).toBe(200);
    expect(onDisk("global")).toMatchObject({
      ...theirs,
      maxConcurrency: 2,
      agentSetup: { house: { env: { HOUSE_KEY: "hunter2hunter2", MORE: "new" } } },
    });
    expect(onDisk("global").agentSetup.house.env.MODE).toBeUndefined();
  });

  test("a cover where nothing is set is a mistake", async () => {
    const { status, body } = await change("PATCH", "global", {
      agentSetup: { house: { kind: "command", command: ["h"], env: { K: SECRET_SET } } },
    });
    expect([status, body]).toEqual([
      400,
      expect.objectContaining({
        problems: [{ path: "agentSetup.house.env.K", message: expect.stringContaining("send the value itself") }],
      }),
    ]);
  });
});

describe("what belongs into the other file", () => {
  test.for<{ scope: Scope; body: object; path: string; says: RegExp }>([
    {
      scope: "project",
      body: { agentSetup: { claude: { command: ["evil"] } } },
      path: "agentSetup",
      says: /must not choose programs and keys/,
    },
    { scope: "project", body: { useWorktrees: false }, path: "useWorktrees", says: /only the global settings/ },
    { scope: "project", body: { sandbox: "when-possible" }, path: "sandbox", says: /only the global settings/ },
    {
      scope: "global",
      body: { pushConsent: { url: "u", by: "me", at: "2026-01-01T00:00:00Z" } },
      path: "pushConsent",
      says: /only the project's settings/,
    },
  ])("$path is refused in the $scope settings with the reason", async ({ scope, body, path, says }) => {
    write(scope, {});
    for (const method of ["PATCH", "PUT"] as const) {
      const answer = await change(method, scope, body);
      expect([answer.status, answer.body]).toEqual([
        400,
        expect.objectContaining({ problems: [{ path, message: expect.stringMatching(says) }] }),
      ]);
    }
    expect(onDisk(scope)).toEqual({});
  });

  test("a settings file that leads out of the project is not followed", async () => {
    const outside = join(world.folder, "outside.json");
    writeFileSync(outside, '{"maxConcurrency":2}');
    const inForce = (await get("project")).body.inForce;
    rmSync(file("project"));
    symlinkSync(outside, file("project"));
    try {
      const { body, etag } = await get("project");
      expect(body).toMatchObject({ settings: null, problem: expect.stringContaining("leads out of"), inForce });
      expect(body).toMatchObject({ stopsLoops: true });
      const effective = await world.call("GET", `${at("project")}/effective`);
      expect(effective.body).toMatchObject({ problems: [expect.stringContaining("leads out of")] });
      expect((effective.body as { values: object[] }).values).not.toContainEqual(
        expect.objectContaining({ path: "maxConcurrency", from: "project" }),
      );
      for (const method of ["PATCH", "PUT"] as const)
        expect((await change(method, "project", { maxConcurrency: 9 }, etag)).status).toBe(409);
      expect(readFileSync(outside, "utf8")).toBe('{"maxConcurrency":2}');
    } finally {
      rmSync(file("project"));
    }
  });

  test("an unknown project: 404", async () => {
    for (const path of ["settings", "settings/effective"])
      expect((await world.call("GET", `/api/projects/none/${path}`)).status).toBe(404);
  });
});

describe("what holds", () => {
  test("each value is told with where it comes from", async () => {
    write("global", {
      maxConcurrency: 5,
      reviewLoop: { maxIterations: 7, enabled: false },
      budgets: { tokens: 100, perDay: { tokens: 9 } },
      theirs: 1,
    });
    write("project", {
      maxConcurrency: 2,
      reviewLoop: { maxIterations: 4 },
      budgets: { costUsd: 2, tokens: 500, perDay: { tokens: 8 } },
      agents: { reviewer: "claude" },
    });
    const { body } = await world.call("GET", `${at("project")}/effective`);
    const { values, problems } = body as {
      values: { path: string; value: unknown; from: string }[];
      problems: string[];
    };
    expect(problems).toEqual([]);
    const told = Object.fromEntries(values.map(({ path, value, from }) => [path, [value, from]]));
    expect(told).toEqual({
      maxConcurrency: [2, "project"],
      useWorktrees: [true, "default"],
      "reviewLoop.maxIterations": [4, "project"],
      "reviewLoop.enabled": [false, "global"],
      "reviewLoop.selfReviewBeforePR": [true, "default"],
      "reviewLoop.autoAddressReviewComments": [true, "default"],
      "reviewLoop.severityThreshold": ["medium", "default"],
      "reviewLoop.notifyOnReady": [true, "default"],
      "reviewLoop.notificationChannels": [["github"], "default"],
      "budgets.costUsd": [2, "project"],
      "budgets.tokens": [100, "global"],
      "budgets.perDay.tokens": [8, "project"],
      "agents.reviewer": ["claude", "project"],
      "analytics.minutesPerFinding": [10, "default"],
      "analytics.minutesPerRound": [0, "default"],
    });
  });

  test("without any file the defaults of seed 001 hold", async () => {
    rmSync(file("project"));
    const { body } = await world.call("GET", `${at("project")}/effective`);
    const { values } = body as { values: { path: string; value: unknown; from: string }[] };
    for (const [key, value] of Object.entries(DEFAULT_REVIEW_LOOP_CONFIG))
      expect(values).toContainEqual({ path: `reviewLoop.${key}`, value, from: "default" });
  });
});
