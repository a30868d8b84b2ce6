import { afterAll, expect, test } from "vitest";
import { forgeContract } from "../../testing/forge-contract.ts";
import { type GithubWorld, githubWorld } from "./testing/github-world.ts";

const worlds: GithubWorld[] = [];

forgeContract("GitHub, over our own stand-in,", async () => {
  const world = await githubWorld();
  worlds.push(world);
  return world;
});

test("all that was asked and answered in the contract is in GitHub's own description", () => {
  expect(worlds.flatMap(({ standIn }) => standIn.objections)).toEqual([]);
  expect(worlds.flatMap(({ standIn }) => standIn.requests).length).toBeGreaterThan(100);
});

afterAll(() => {
  worlds.length = 0;
});
