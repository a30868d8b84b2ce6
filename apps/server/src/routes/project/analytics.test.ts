import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type ApiAnalytics, ReviewLoopAnalytics } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen, serverWorld, type World } from "../../testing/server-world.ts";

let world: World;
beforeAll(async () => {
  world = await serverWorld({ projects: 2, features: 1 });
  const stream = await listen(world);
  await world.call("POST", `/api/projects/${world.ids[0]}/items/f1/start`);
  await stream.until((frames) => frames.some(({ type }) => type === "feature:code-review-approved"));
  stream.close();
});
afterAll(() => world[Symbol.asyncDispose]());

const at = (rest = "", project = 0) => `/api/projects/${world.ids[project]}/analytics${rest}`;
const file = () => join(world.roots[0] ?? "", ".automaker/analytics/review-loop.json");
const today = () => new Date().toISOString().slice(0, 10);

describe("what seed 001 wants to know", () => {
  test("is told at once, whether the file knows it already or not", async () => {
    const { status, body } = await world.call("GET", at());
    expect(status).toBe(200);
    expect(body).toMatchObject({
      from: null,
      to: null,
      summary: {
        loops: 1,
        reviews: 1,
        firstPassRate: 1,
        averageIterationsBeforePr: null,
        issuesFound: 0,
        commonCategories: [],
        timeSaved: { minutes: 0, formula: { minutesPerFinding: 10, minutesPerRound: 0 } },
      },
      days: [{ date: today(), loopsStarted: 1, found: {} }],
    });
  });

  test("can be limited to a range of days", async () => {
    const day = today();
    const { body } = await world.call("GET", at(`?from=${day}&to=${day}`));
    expect(body).toMatchObject({ from: day, to: day, summary: { loops: 1 } });
    const past = (await world.call("GET", at("?to=2001-01-01"))).body as ApiAnalytics;
    expect([past.summary.loops, past.days]).toEqual([0, []]);
  });

  test("is nothing where nothing ran", async () => {
    const { body } = await world.call("GET", at("", 1));
    expect(body).toMatchObject({ seq: 0, summary: { loops: 0, firstPassRate: null, resolutionRate: null }, days: [] });
  });

  test("is counted anew and written when somebody asks for it", async () => {
    rmSync(file(), { force: true });
    const { status, body } = await world.call("POST", at("/rebuild"));
    expect(status).toBe(200);
    const written = ReviewLoopAnalytics.parse(JSON.parse(readFileSync(file(), "utf8")));
    expect(written.summary).toEqual((body as ApiAnalytics).summary);
  });
});

test.for([
  { ask: ["GET", "?from=yesterday"], status: 400, says: /^from: / },
  { ask: ["GET", "?from=2026-02-30"], status: 400, says: /^from: / },
  { ask: ["GET", "?from=2026-02-02&to=2026-02-01"], status: 400, says: /^to: the last day cannot be before/ },
])("$ask: $status", async ({ ask: [method = "", rest], status, says }) => {
  const { status: got, body } = await world.call(method, at(rest));
  expect([got, body]).toEqual([status, expect.objectContaining({ error: expect.stringMatching(says) })]);
});

test("who is not logged in sees none, and an unknown project has none", async () => {
  for (const [method, rest] of [
    ["GET", ""],
    ["POST", "/rebuild"],
  ] as const) {
    expect((await world.call(method, at(rest), undefined, { "x-api-key": "no" })).status).toBe(401);
    expect((await world.call(method, `/api/projects/none/analytics${rest}`)).status).toBe(404);
  }
});
