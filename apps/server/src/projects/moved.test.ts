import { existsSync, mkdirSync, renameSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { documentOf, filled, operationsOf } from "../testing/document.ts";
import { build, hangs, type LoopWorld, loopWorld } from "../testing/loop-world.ts";

const GONE = { success: false, code: "unavailable", error: expect.stringContaining("the folder of project 1 is gone") };

let world: LoopWorld;
beforeEach(async () => {
  world = await loopWorld(2);
});
afterEach(() => world[Symbol.asyncDispose]());

const moved = () => `${world.root} moved`;
const leave = () => renameSync(world.root, moved());
const said = () => world.lines.filter((line) => line.includes("is gone"));

describe("a project whose folder was moved away", () => {
  test("answers so on every route that reads it", async () => {
    const reads = operationsOf(await documentOf(world)).filter(
      ({ method, path }) => method === "GET" && path.includes("{project}"),
    );
    expect(reads.length).toBeGreaterThan(20);
    leave();
    for (const { path } of reads) {
      const params = { project: world.project, loop: "f1~1", item: "f1", feature: "f1", round: "1", number: "1" };
      const { status, body } = await world.get(filled(path, { ...NAMES, ...params }) + (QUERIES[path] ?? ""));
      expect([path, status, body]).toEqual([path, 503, GONE]);
    }
  });

  test.for([
    { what: "a new feature", method: "POST", path: "/features", body: { title: "A" } },
    { what: "a changed feature", method: "PATCH", path: "/features/f1", body: { title: "A" } },
    { what: "a removed feature", method: "DELETE", path: "/features/f1" },
    { what: "changed settings", method: "PATCH", path: "/settings", body: { testCommand: "true" } },
    { what: "replaced settings", method: "PUT", path: "/settings", body: { version: 1 } },
    { what: "a start", method: "POST", path: "/items/f1/start" },
    { what: "a word", method: "POST", path: "/items/f1/signal", body: { signal: "pause" } },
    { what: "a move", method: "POST", path: "/items/f1/move", body: { to: "in_progress" } },
    { what: "auto mode", method: "PATCH", path: "", body: { auto: true } },
    { what: "numbers counted anew", method: "POST", path: "/analytics/rebuild" },
    { what: "a started story", method: "POST", path: "/stories/1.1/start" },
  ])("takes no $what, and is not made anew", async ({ method, path, body }) => {
    leave();
    const at = `/api/projects/${world.project}${path}`;
    const answer = await world.call(method, at, body, { "if-match": '"none"' });
    expect([answer.status, answer.body]).toEqual([503, GONE]);
    expect(existsSync(world.root)).toBe(false);
  });

  test("answers so on the seeds' routes, whether its path is given or not", async () => {
    leave();
    const projectPath = world.root;
    const review = { projectPath, featureId: "f1", iterationNumber: 1 };
    expect(await world.call("POST", "/api/code-review/generate-review", review)).toMatchObject({ status: 503 });
    const status = "/api/review-loop/f1/status";
    expect(await world.get(`${status}?projectPath=${encodeURIComponent(projectPath)}`)).toMatchObject({ status: 503 });
    expect(await world.get(status)).toMatchObject({ status: 503, body: GONE });
    expect(await world.get("/api/ready")).toMatchObject({
      status: 503,
      body: { ready: false, projects: [{ owner: "nobody", ready: false }] },
    });
  });

  test("is told in the log of the server once, without anybody asking", async () => {
    leave();
    await expect.poll(said, { timeout: 20_000 }).toHaveLength(1);
    await world.get(`/api/projects/${world.project}/items`);
    await world.get(`/api/projects/${world.project}/items`);
    expect(said()).toEqual([expect.stringContaining(world.root)]);
  });

  test("is served again once its folder is back, but not where another one lies in its place", async () => {
    const items = `/api/projects/${world.project}/items`;
    leave();
    mkdirSync(world.root);
    expect(await world.get(items)).toMatchObject({ status: 503, body: GONE });
    expect(await world.get("/api/ready")).toMatchObject({ status: 503 });
    renameSync(world.root, `${world.root} other`);
    renameSync(moved(), world.root);
    expect(await world.get(items)).toMatchObject({ status: 200, body: { total: 2 } });
    await world.run("f2", ["ended"]);
  });

  test("has its loops parked, and nothing is made anew by them or by the end of the server", async () => {
    world.script("f1", [build("a.js", "1;\n"), hangs]);
    await world.run("f1", ["reviewing"]);
    leave();
    await expect.poll(said, { timeout: 20_000 }).toHaveLength(1);
    await world.stop();
    expect(existsSync(world.root)).toBe(false);
    renameSync(moved(), world.root);
    await world.start();
    expect((await world.get(world.loop("f1"))).body).toMatchObject({ stage: "reviewing" });
  });
});

const NAMES = {
  epic: "e1",
  ticket: "t1",
  story: "1.1",
  unit: "u1",
  finding: "x",
  agent: "builtin",
  transcript: "reviewing-1",
};
/** What a route has to be asked for with. */
const QUERIES: Record<string, string> = {
  "/api/projects/{project}/item-changes": "?since=0",
  "/api/projects/{project}/loops/{loop}/diff/file": "?path=a.txt",
};
