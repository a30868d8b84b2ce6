import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { systemClock } from "@anneal/adapters/clock";
import { openRepo } from "@anneal/adapters/git";
import { describe, expect, test } from "vitest";
import type { TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { collectGarbage } from "./gc.ts";
import { currentLoop } from "./loop-history.ts";
import { say } from "./talk.ts";
import { killedAfter, programsWithoutBubblewrap } from "./testing/killed-owner.ts";
import { approve, beside, implement, own, project } from "./testing/project.ts";

const programs = programsWithoutBubblewrap();
const FILES = ["index", "HEAD"];

/** A project whose process was killed while its agent worked, by a power cut that left a file of git's empty. */
async function cutOff(file: string): Promise<TestRepo> {
  const repo = await killedAfter("echo half > auth.js", { programs });
  writeFileSync(join(repo.dir, ".git/worktrees/a", file), "");
  return repo;
}

async function stop(repo: TestRepo): Promise<void> {
  const store = beside(repo);
  const row = currentLoop(store, "a");
  if (row === null) throw new Error("a has no loop");
  const talk = { root: repo.dir, store, row, by: "ada", clock: systemClock, tell: () => {} };
  expect(await say(talk, { signal: "stop" })).toMatchObject({ result: "taken" });
}

const asReviewed = (repo: TestRepo) => {
  expect(repo.git("show", "feature/a:auth.js")).toBe("ok");
  expect(repo.git("-C", ".worktrees/a", "status", "--porcelain")).toBe("");
  expect(repo.git("-C", ".worktrees/a", "symbolic-ref", "HEAD")).toBe("refs/heads/feature/a");
};

describe.for(FILES)("a power cut that leaves the %s of a loop's worktree empty", (file) => {
  test("does not keep the loop from going on", async () => {
    const repo = await cutOff(file);
    expect(await (await own(repo)).run("a")).toMatchObject({ outcome: "passed" });
    asReviewed(repo);
  });

  test("does not keep a loop from starting anew after that one was stopped", async () => {
    const repo = await cutOff(file);
    await stop(repo);
    expect(await (await own(repo)).run("a")).toMatchObject({ outcome: "passed" });
    asReviewed(repo);
  });

  test("keeps no other worktree from being collected", async () => {
    const repo = project({ a: { steps: [implement, approve] }, b: { steps: [implement, approve] } });
    const runtime = await own(repo);
    for (const id of ["a", "b"]) expect(await runtime.run(id)).toMatchObject({ outcome: "passed" });
    await runtime.close();
    writeFileSync(join(repo.dir, ".git/worktrees/a", file), "");
    const collected = await collectGarbage(await openRepo(repo.dir), { clock: systemClock, dryRun: false });
    const [a, b] = ["a", "b"].map((id) => join(`${repo.dir}.anneal`, id));
    expect(collected?.worktrees).toContainEqual({ path: b, item: "b" });
    expect(collected?.kept).toEqual([{ path: a, item: "a", because: expect.stringMatching(/^git cannot read it/) }]);
  });
});

test("a commit on a detached head is kept and told, also where its HEAD is lost after work was cut off", async () => {
  const repo = await killedAfter("echo half > auth.js", { programs });
  const inTree = (...args: string[]) => repo.git("-C", ".worktrees/a", ...args);
  inTree("checkout", "--quiet", "--detach");
  inTree("commit", "--quiet", "--allow-empty", "--message", "by hand");
  const kept = `refs/anneal/kept/a/found-${inTree("rev-parse", "HEAD").slice(0, 12)}`;
  rmSync(join(repo.dir, ".git/worktrees/a/HEAD"));
  const told: string[] = [];
  const runtime = await own(repo, { onTrouble: (_, message) => told.push(message) });
  expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
  expect(repo.git("log", "-1", "--format=%s", kept)).toBe("by hand");
  expect(told).toContainEqual(expect.stringContaining(kept));
  asReviewed(repo);
});

/** Backs off as often as it should, and never for long. */
const IMPATIENT: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 20), signal) };

describe("an agent that damages git's files of its worktree", () => {
  test.for([
    { what: "HEAD", act: "echo junk > $G/HEAD" },
    { what: "HEAD, with a commit that is not there", act: "echo 1212121212121212121212121212121212121212 > $G/HEAD" },
    { what: "the index", act: "echo junk > $G/index" },
    { what: "both, one of them by removing it", act: "rm -f $G/index; echo junk > $G/HEAD" },
  ])("does not keep the next attempt from working: $what", async ({ act }) => {
    const repo = project({ a: { steps: [approve] } });
    const [agent, once] = ["agent.sh", "once"].map((name) => join(repo.dir, ".automaker", name));
    const damages = `G=$(git rev-parse --git-dir); ${act}; rm ${once}; exit 1`;
    const works = `echo ok > auth.js; echo '{"text":"Done."}'`;
    writeFileSync(once ?? "", "");
    writeFileSync(agent ?? "", `#!/bin/sh\ncat >/dev/null\nif [ -e ${once} ]; then ${damages}; fi\n${works}\n`, {
      mode: 0o755,
    });
    const file = join(repo.dir, ".automaker/settings.json");
    const { agents, ...settings } = JSON.parse(readFileSync(file, "utf8"));
    writeFileSync(file, JSON.stringify({ ...settings, agents: { ...agents, implementer: `command:${agent}` } }));
    const runtime = await own(repo, { clock: IMPATIENT });
    expect(await runtime.run("a")).toMatchObject({ outcome: "passed" });
    asReviewed(repo);
  });
});
