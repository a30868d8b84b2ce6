import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../system/src/testing/temp-folder.ts";
import { beforeFlow } from "../testing/whole-flow.ts";
import { content } from "./testing/content.ts";
import { type GithubWorld, githubWorld } from "./testing/github-world.ts";
import { TOKEN } from "./testing/stand-in.ts";

const script = fileURLToPath(new URL("../testing/whole-flow.ts", import.meta.url));

async function inAnotherProcess(
  { standIn }: GithubWorld,
  more: Record<string, string> = {},
): Promise<NodeJS.Signals | number | null> {
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env;
  const env = { PATH, HOME, NODE_COMPILE_CACHE, GH_TOKEN: TOKEN, ...more };
  const child = spawn(process.execPath, [script, standIn.address], { env, stdio: ["ignore", "ignore", "inherit"] });
  return await new Promise((done) => child.once("close", (code, signal) => done(signal ?? code)));
}

async function begun(): Promise<GithubWorld> {
  const world = await githubWorld();
  await beforeFlow(world.fake);
  return world;
}

test("a process that is killed before or after any change at GitHub leaves, once it is repeated, what an undisturbed one leaves", async () => {
  using folder = tempFolder();
  const free = await begun();
  const trace = folder.path("trace");
  expect(await inAnotherProcess(free, { ANNEAL_FAILPOINT_TRACE: trace })).toBe(0);
  const expected = await content(free.forge);
  await free.close();
  const points = new Set(
    readFileSync(trace, "utf8")
      .split("\n")
      .filter((name) => name.startsWith("forge.")),
  );
  const effects = ["open", "comment", "review", "update", "ready", "merge"];
  expect([...points].toSorted()).toEqual(
    effects.flatMap((name) => [`forge.${name}.before`, `forge.${name}.after`]).toSorted(),
  );
  for (const point of points) {
    const world = await begun();
    expect([point, await inAnotherProcess(world, { ANNEAL_FAILPOINT: point })]).toEqual([point, "SIGKILL"]);
    expect([point, await inAnotherProcess(world)]).toEqual([point, 0]);
    expect([point, await content(world.forge)]).toEqual([point, expected]);
    expect(world.standIn.objections).toEqual([]);
    await world.close();
  }
});
