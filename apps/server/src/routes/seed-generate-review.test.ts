import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { AutoModeService } from "../services/auto-mode-service.ts";
import { approves, build, fix, type LoopWorld, loopWorld, rejects } from "../testing/loop-world.ts";

let world: LoopWorld;
beforeAll(async () => {
  world = await loopWorld(1);
  world.script("f1", [build("a.js", "1;\n"), rejects("a.js"), fix("a.js", "2;\n"), approves]);
  await world.run("f1", ["ended"]);
}, 60_000);
afterAll(async () => {
  vi.restoreAllMocks();
  await world[Symbol.asyncDispose]();
});

test("generate-review asks AutoModeService.generateCodeReview, in the seed's order of arguments, and tells what it says", async () => {
  const asked = vi.spyOn(AutoModeService.prototype, "generateCodeReview");
  const worktreePath = join(`${world.root}.anneal`, "f1");
  const body = { projectPath: world.root, featureId: "f1", iterationNumber: 1, worktreePath };
  const answer = await world.call("POST", "/api/code-review/generate-review", body);
  expect(asked.mock.calls).toEqual([[world.root, "f1", 1, worktreePath]]);
  expect(await asked.mock.results[0]?.value).toEqual({ status: "rejected", summary: "Not yet." });
  expect(answer.body).toEqual({ success: true, featureId: "f1", iterationNumber: 1, status: "rejected" });
});

test("what it tells is what feature.json has of the iteration, with the commit that was reviewed", async () => {
  const file = join(world.root, ".automaker/features/f1/feature.json");
  const iterations = () => JSON.parse(readFileSync(file, "utf8")).codeReviewSpec.iterations;
  // The file is written behind the log.
  await expect.poll(iterations, { timeout: 30_000 }).toHaveLength(2);
  const { rounds } = (await world.get<{ rounds: { number: number; head: string }[] }>(world.loop("f1", "/rounds")))
    .body;
  const hashes = iterations().map((one: { gitCommitHash: string }) => one.gitCommitHash);
  expect(hashes).toEqual(rounds.map(({ head }) => head));
  expect(new Set(hashes).size).toBe(2);
  for (const { iterationNumber, status } of iterations()) {
    const body = { projectPath: world.root, featureId: "f1", iterationNumber };
    expect((await world.call("POST", "/api/code-review/generate-review", body)).body).toMatchObject({ status });
  }
});
