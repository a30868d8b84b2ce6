import { spawn, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { tempFolder } from "../../../../system/src/testing/temp-folder.ts";
import { beforeFlow, HELD, wholeFlow } from "../testing/whole-flow.ts";
import { createFakeForge, openFakeForge } from "./index.ts";

const script = fileURLToPath(new URL("../testing/whole-flow.ts", import.meta.url));

function inAnotherProcess(dir: string, env: Record<string, string>) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  return spawnSync(process.execPath, [script, dir], {
    encoding: "utf8",
    env: { PATH, NODE_COMPILE_CACHE, HOME: dir, ...env },
  });
}

/** Everything that the forge holds: its state to the byte, its branches with their history, and no leftovers. */
function contentOf(dir: string): Record<string, string> {
  const log = spawnSync("git", ["log", "--format=%H %P %s", "main"], { cwd: dir, encoding: "utf8" }).stdout;
  const leftovers = readdirSync(dir).filter((name) => name.endsWith(".tmp"));
  return { state: readFileSync(join(dir, "anneal-fake-forge.json"), "utf8"), log, leftovers: leftovers.join() };
}

describe("a process that is killed while it talks to the fake forge", () => {
  const folder = tempFolder();
  afterAll(() => folder[Symbol.dispose]());
  const start = folder.path("start.git");
  let faultFree: Record<string, string>;
  let passed: string[];

  beforeAll(async () => {
    const forge = await createFakeForge(start, { clock: HELD });
    await beforeFlow(forge);
    const dir = folder.path("free.git");
    cpSync(start, dir, { recursive: true });
    const trace = folder.path("trace");
    const { status, stderr } = inAnotherProcess(dir, { ANNEAL_FAILPOINT_TRACE: trace });
    expect({ status, stderr }).toEqual({ status: 0, stderr: expect.not.stringContaining("Error") });
    passed = readFileSync(trace, "utf8").trim().split("\n");
    faultFree = contentOf(dir);
  });

  test("passes every failpoint of the forge", () => {
    const points = new Set(passed.filter((name) => name.startsWith("forge.")));
    const effects = ["open", "comment", "review", "update", "ready", "merge-plan", "merge-ref"];
    const both = effects.flatMap((effect) => [`forge.${effect}.before`, `forge.${effect}.after`]);
    expect([...points].toSorted()).toEqual([...both, "forge.merge-record.after"].toSorted());
  });

  test("leaves, after the flow is repeated, exactly what an undisturbed one leaves: at every failpoint", async () => {
    const tally = new Map<string, number>();
    for (const name of passed) tally.set(name, (tally.get(name) ?? 0) + 1);
    const kills = [...tally].map(([name, times]) =>
      name.startsWith("file.") ? `${name}:${Math.ceil(times / 2)}` : name,
    );
    for (const point of kills) {
      const dir = folder.path(`${point.replaceAll(":", "-")}.git`);
      cpSync(start, dir, { recursive: true });
      expect([point, inAnotherProcess(dir, { ANNEAL_FAILPOINT: point }).signal]).toEqual([point, "SIGKILL"]);
      await wholeFlow(dir);
      expect([point, contentOf(dir)]).toEqual([point, faultFree]);
    }
  });

  test("leaves no half-made forge behind", async () => {
    for (const point of ["forge.create.before", "file.rename.before"]) {
      const dir = folder.path(`made-${point}.git`);
      mkdirSync(dir);
      const url = new URL("./index.ts", import.meta.url).href;
      const source = `await (await import(${JSON.stringify(url)})).createFakeForge(${JSON.stringify(dir)});`;
      const args = ["--input-type=module", "-e", source];
      const env = { PATH: process.env.PATH, HOME: dir, ANNEAL_FAILPOINT: point };
      expect(spawnSync(process.execPath, args, { env }).signal).toBe("SIGKILL");
      await createFakeForge(dir);
      expect(await (await openFakeForge(dir)).me()).toBe("anneal");
      expect(readdirSync(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
    }
  });
});

test("four processes that use one forge at once lose nothing and double nothing", async () => {
  using folder = tempFolder();
  const dir = folder.path("forge.git");
  const forge = await createFakeForge(dir, { clock: HELD });
  await beforeFlow(forge);
  const url = new URL("./index.ts", import.meta.url).href;
  const source = `
    const forge = await (await import(${JSON.stringify(url)})).openFakeForge(${JSON.stringify(dir)});
    for (let n = 0; n < 10; n++) {
      await forge.say(1, { key: "shared-" + n, body: "same" });
      await forge.say(1, { key: process.argv[1] + "-" + n, body: "own" });
    }`;
  const children = ["a", "b", "c", "d"].map((name) =>
    spawn(process.execPath, ["--input-type=module", "-e", source, name], { stdio: "ignore" }),
  );
  const ended = children.map((child) => new Promise<number | null>((done) => child.once("close", done)));
  expect(await Promise.all(ended)).toEqual([0, 0, 0, 0]);
  const keys = (await forge.comments(1)).flatMap(({ key }) => (key === null ? [] : [key]));
  expect(keys).toHaveLength(50);
  expect(new Set(keys).size).toBe(50);
});
