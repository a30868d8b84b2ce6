import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { POLICIES } from "@anneal/core";
import type { ApiPolicies } from "@anneal/types";
import { afterAll, beforeAll, expect, test } from "vitest";
import { serverWorld, type World } from "../../testing/server-world.ts";

let world: World;
let original: string;
beforeAll(async () => {
  world = await serverWorld();
  original = readFileSync(file(), "utf8");
});
afterAll(() => world[Symbol.asyncDispose]());

const file = () => join(world.roots[0] ?? "", ".automaker/settings.json");
const at = () => `/api/projects/${world.ids[0]}/policies`;
async function policies(settings: object): Promise<ApiPolicies> {
  writeFileSync(file(), JSON.stringify({ ...JSON.parse(original), ...settings }));
  const { status, body } = await world.call("GET", at());
  expect(status).toBe(200);
  return body as ApiPolicies;
}

test("the five are there as data", async () => {
  const { policies: all, problems } = await policies({});
  expect(problems).toEqual([]);
  expect(all.map(({ name, from, shadowed }) => [name, from, shadowed])).toEqual(
    Object.keys(POLICIES).map((name) => [name, "built-in", false]),
  );
  expect(all.find(({ name }) => name === "gate")?.policy).toEqual(POLICIES.gate);
});

test("settings of the review loop and budgets shape them as they shape loops", async () => {
  const { policies: all } = await policies({ reviewLoop: { maxIterations: 7 }, budgets: { tokens: 99 } });
  const pull = all.find(({ name }) => name === "pull-request")?.policy;
  expect([pull?.limits.reviews, pull?.caps.tokens]).toEqual([7, 99]);
});

test("one's own come first, and take the place of one of the five with that name", async () => {
  const own = [{ ...POLICIES.gate, name: "house" }, { ...POLICIES.scored }];
  const { policies: all } = await policies({ policies: own });
  expect(all.slice(0, 2).map(({ name, from, shadowed }) => [name, from, shadowed])).toEqual([
    ["house", "project", false],
    ["scored", "project", false],
  ]);
  expect(all.filter(({ shadowed }) => shadowed).map(({ name, from }) => [name, from])).toEqual([
    ["scored", "built-in"],
  ]);
});

test("what keeps one of them from holding is told with its place; those from before the mistake stay", async () => {
  await policies({ policies: [{ ...POLICIES.gate, name: "house" }] });
  const { policies: all, problems } = await policies({ policies: [{ ...POLICIES.gate, name: "Bad Name" }] });
  expect(all.map(({ name }) => name)).toEqual(["house", ...Object.keys(POLICIES)]);
  expect(problems).toEqual([expect.stringMatching(/settings\.json:\d+:\d+: policies\[0\]\.name: /)]);
});

test("who is not logged in sees none, and an unknown project has none", async () => {
  expect((await world.call("GET", at(), undefined, { "x-api-key": "no" })).status).toBe(401);
  expect((await world.call("GET", "/api/projects/none/policies")).status).toBe(404);
});
