import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { ReviewLoopSession, ReviewResult } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { serve } from "../../index.ts";
import { type Heard, hearing } from "../../testing/listener.ts";
import { approves, build, fix, hangs, type LoopWorld, loopWorld, rejects } from "../../testing/loop-world.ts";

let world: LoopWorld;
let heard: Heard;
beforeAll(async () => {
  world = await loopWorld(4);
  heard = await hearing(world, world.project);
  world.script("f1", [
    build("a.js", "1;\n"),
    rejects("a.js", "One"),
    fix("a.js", "2;\n"),
    rejects("a.js", "Two"),
    fix("a.js", "3;\n"),
    rejects("a.js", "Three"),
    // Once what it rejected is dismissed, it is asked about the rest.
    approves,
  ]);
  await world.run("f1", ["waiting-for-human"]);
}, 60_000);
afterAll(async () => {
  heard[Symbol.dispose]();
  await world[Symbol.asyncDispose]();
});

const feature = (id: string) =>
  JSON.parse(readFileSync(join(world.root, `.automaker/features/${id}/feature.json`), "utf8"));
const badge = async (id: string) =>
  (await world.get<{ badge: string }>(`/api/projects/${world.project}/items/${id}`)).body.badge;

describe("the review loop of a feature under the gate, in seed 001's shape", () => {
  test("has all its iterations in its history", async () => {
    const { body } = await world.get<{ iterations: unknown[] }>("/api/review-loop/f1/history");
    const iterations = z.array(ReviewResult.strict()).parse(body.iterations);
    expect(iterations.map(({ iteration, verdict, issues }) => [iteration, verdict, issues.length])).toEqual([
      [1, "needs_work", 1],
      [2, "needs_work", 1],
      [3, "needs_work", 1],
    ]);
  });

  test("has a session that says where it stands", async () => {
    const { body } = await world.get<{ state: string; session: unknown }>("/api/review-loop/f1/status");
    expect(body.state).toBe("self_review_failed");
    expect(ReviewLoopSession.parse(body.session)).toMatchObject({ featureId: "f1", currentIteration: 3 });
  });

  test("keeps the iterations of its earlier loops", async () => {
    world.script("f2", [build("b.js", "1;\n"), rejects("b.js"), { role: "fixer", end: "hang" }]);
    await world.run("f2", ["fixing"]);
    await world.call("POST", `/api/projects/${world.project}/items/f2/signal`, { signal: "stop" });
    await world.reached("f2", ["ended"]);
    world.script("f2", [build("b.js", "2;\n"), approves]);
    await world.call("POST", "/api/review-loop/f2/start");
    await heard.until((frames) => frames.some(({ type, item }) => item === "f2" && type.endsWith("review-approved")));
    const { body } = await world.get<{ iterations: ReviewResult[] }>("/api/review-loop/f2/history");
    expect(body.iterations.map(({ iteration, verdict }) => [iteration, verdict])).toEqual([
      [1, "needs_work"],
      [2, "pass"],
    ]);
  });
});

describe("a person's word at the gate", () => {
  test("a dismissal whose last review approves the rest is told as an approval, on the stream, in its file and on its card", async () => {
    const { body } = await world.get<{ findings: { fingerprint: string; disposition: { kind: string } }[] }>(
      world.loop("f1", "/findings"),
    );
    for (const { fingerprint, disposition } of body.findings)
      if (disposition.kind === "open")
        await world.call("POST", world.loop("f1", `/findings/${fingerprint}/disposition`), {
          action: "dismiss",
          reason: "not so",
        });
    await world.reached("f1", ["ended"]);
    const told = await heard.inSeeds("f1", ({ type }) => type === "feature:code-review-approved");
    expect(told.at(-1)).toEqual(["feature:code-review-approved", { featureId: "f1", nextStatus: "verified" }]);
    await expect.poll(() => feature("f1").status).toBe("verified");
    expect(feature("f1").codeReviewSpec.status).toBe("approved");
    expect(await badge("f1")).toBe("approved");
  });

  test("a stop in the first review leaves a review that is still to come", async () => {
    world.script("f3", [build("c.js", "1;\n"), hangs]);
    await world.run("f3", ["reviewing"]);
    await world.call("POST", `/api/projects/${world.project}/items/f3/signal`, { signal: "stop" });
    await expect.poll(() => feature("f3").status).toBe("backlog");
    expect(feature("f3").codeReviewSpec).toMatchObject({ status: "pending", iterations: [] });
    expect(await badge("f3")).toBe("pending");
  });
});

describe("projectPath names a project by its folder, however it is written", () => {
  test("with a slash at its end, or with a way around", async () => {
    for (const path of [`${world.root}/`, `${world.root}/.`, `${world.root}/.git/..`])
      expect([path, (await status(world, path)).status]).toEqual([path, 200]);
    for (const path of [`${world.root}/.git`, join(world.root, ".."), "", "."])
      expect([path, (await status(world, path)).status]).toEqual([path, 404]);
  });

  test("by the link that was given to the server", async () => {
    const link = join(world.folder, "link");
    symlinkSync(world.root, link);
    await world.stop();
    const dataDir = join(world.folder, "data");
    const server = await serve({ port: 0, projects: [link], dataDir, pages: null, onLine: () => {} });
    try {
      for (const path of [link, `${link}/`, world.root])
        expect([path, (await status({ server }, path)).status]).toEqual([path, 200]);
    } finally {
      await server.close();
      await world.start();
    }
  });
});

function status({ server }: Pick<LoopWorld, "server">, path: string): Promise<Response> {
  const address = `${server.url}/api/review-loop/f1/status?projectPath=${encodeURIComponent(path)}`;
  return fetch(address, { headers: { "x-api-key": server.token } });
}
