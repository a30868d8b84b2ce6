import { readFileSync, rmSync, unwatchFile, watchFile, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listen, serverWorld, type World } from "../testing/server-world.ts";

let world: World;
beforeAll(async () => {
  world = await serverWorld({ features: 2 });
});
afterAll(() => world[Symbol.asyncDispose]());

const file = () => join(world.roots[0] ?? "", ".automaker/settings.json");
const changes = (frames: { type: string; payload: unknown }[]) =>
  frames.filter(({ type }) => type === "settings:changed").map(({ payload }) => payload);

/** Settles when whoever watched the file before has been told of its next change. */
function changeOf(path: string): Promise<void> {
  return new Promise((resolve) => {
    const told = () => {
      unwatchFile(path, told);
      resolve();
    };
    watchFile(path, { interval: 1_000 }, told);
  });
}

test("changes by the API and on disk, global ones too, are told on the stream once each", async () => {
  const stream = await listen(world, { project: world.ids[0] ?? "" });
  const deaf = await listen(world, { item: "f1" });
  const at = `/api/projects/${world.ids[0]}/settings`;
  const { headers } = await world.call("GET", at);
  const seenOnDisk = changeOf(file());
  await world.call("PATCH", at, { maxConcurrency: 2 }, { "if-match": headers.get("etag") ?? "" });
  await stream.until((frames) => changes(frames).length === 1);
  // The watch on the file sees it later, and that is no news any more.
  await seenOnDisk;
  await world.call("GET", at);
  const again = changeOf(file());
  writeFileSync(file(), JSON.stringify({ ...JSON.parse(readFileSync(file(), "utf8")), maxConcurrency: 3 }));
  await stream.until((frames) => changes(frames).length === 2);
  await again;
  await world.call("GET", at);
  const global = join(world.folder, "data/settings.json");
  writeFileSync(global, '{"maxConcurrency": 4}');
  await stream.until((frames) => changes(frames).length === 3);
  expect(changes(stream.frames)).toEqual([{ scope: "project" }, { scope: "project" }, { scope: "global" }]);
  expect(deaf.frames).toEqual([]);
  rmSync(global);
  stream.close();
  deaf.close();
});

test("a change is in force for the next loop, without a restart", async () => {
  const { agents, ...rest } = JSON.parse(readFileSync(file(), "utf8"));
  writeFileSync(file(), JSON.stringify({ ...rest, agents: { ...agents, reviewer: "scripted:.automaker/none.json" } }));
  const stream = await listen(world);
  const start = () => world.call("POST", `/api/projects/${world.ids[0]}/items/f2/start`);
  await start();
  await expect.poll(() => world.lines.join("\n"), { timeout: 30_000 }).toContain("none.json");
  const at = `/api/projects/${world.ids[0]}/settings`;
  const { headers } = await world.call("GET", at);
  const patch = { agents: { reviewer: agents.reviewer } };
  expect((await world.call("PATCH", at, patch, { "if-match": headers.get("etag") ?? "" })).status).toBe(200);
  await start();
  await stream.until((frames) => frames.some(({ type }) => type === "feature:code-review-approved"));
  stream.close();
});
