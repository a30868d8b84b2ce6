import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as epics from "../golden/testing/sample-epics.ts";
import type { SampleProject } from "../golden/testing/sample-project.ts";
import * as stories from "../golden/testing/sample-stories.ts";

const TICKET = "ticket:limits/a";

/** The one worktree of the project's items. */
function worktreeIn({ root }: SampleProject, prefix: string): string {
  const home = `${root}.anneal`;
  const name = readdirSync(home).find((one) => one.startsWith(prefix));
  if (name === undefined) throw new Error(`there is no worktree of ${prefix}`);
  return join(home, name);
}

async function waitingStory() {
  const steps = [stories.implement, stories.babble, stories.babble, stories.babble, stories.babble];
  const project = await stories.storiesProject({ [stories.ID]: [...steps, stories.findings(1, [0, 0, 0])] });
  expect((await project.runStories()).settled.get(stories.KEY)).toMatchObject({ reason: "review-broke" });
  return { project, key: stories.KEY, tree: worktreeIn(project, "story-"), again: () => project.runStories() };
}

async function waitingTicket() {
  const babble = { role: "reviewer", answer: "Fine." };
  const project = await epics.epicsProject({ a: {} }, {});
  project.plan("limits/a", { steps: [epics.build("a"), babble, babble, babble, babble, epics.pass] });
  expect((await project.runEpic()).settled.get(TICKET)).toMatchObject({ reason: "review-broke" });
  return { project, key: TICKET, tree: worktreeIn(project, "ticket-"), again: () => project.runEpic() };
}

const KINDS = [
  { kind: "story", waiting: waitingStory },
  { kind: "ticket", waiting: waitingTicket },
];

describe("what a person changes in the worktree of an item that waits", () => {
  test.for(KINDS)("is refused while it is not committed, and nothing of it is lost: $kind", async ({ waiting }) => {
    const { project, key, tree, again } = await waiting();
    writeFileSync(join(tree, "mine.txt"), "mine\n");
    await project.say(key, "retry");
    const { broken } = await again();
    expect(String(broken.get(key))).toContain(`${tree} has uncommitted changes: commit or discard`);
    expect(readFileSync(join(tree, "mine.txt"), "utf8")).toBe("mine\n");
    rmSync(join(tree, "mine.txt"));
    expect((await again()).settled.get(key)).toMatchObject({ outcome: "passed" });
  });

  test.for(KINDS)(
    "is refused while the loop goes on, where it is committed, and nothing of it is lost: $kind",
    async (given) => {
      const { project, key, tree, again } = await given.waiting();
      const git = (...args: string[]) => project.repo.git("-C", tree, ...args);
      writeFileSync(join(tree, "mine.txt"), "mine\n");
      git("add", "--all");
      git("commit", "--quiet", "--message", "mine");
      await project.say(key, "retry");
      const mine = git("rev-parse", "HEAD");
      expect(String((await again()).broken.get(key))).toContain("has commits that its loop did not make");
      expect(git("rev-parse", "HEAD")).toBe(mine);
    },
  );

  test("is refused by a new loop, too", async () => {
    const { project, key, tree, again } = await waitingStory();
    await project.say(key, "stop");
    writeFileSync(join(tree, "mine.txt"), "mine\n");
    project.plan(stories.ID, { steps: [stories.implement, stories.findings(1, [0, 0, 0])] });
    expect(String((await again()).broken.get(key))).toContain("has uncommitted changes");
    rmSync(join(tree, "mine.txt"));
    expect((await again()).settled.get(key)).toMatchObject({ outcome: "passed" });
  });
});

test("what an agent of ours leaves about is cleared away before the loop rests, and holds nothing up", async () => {
  const litter = { role: "fixer", end: "crash", edits: [{ path: "litter.txt", content: "half a thought\n" }] };
  const project = await stories.storiesProject({
    [stories.ID]: [
      ...[stories.implement, stories.findings(1, [1, 0, 0]), litter, litter, litter, litter],
      ...[stories.fix, stories.findings(2, [0, 0, 0])],
    ],
  });
  expect((await project.runStories()).settled.get(stories.KEY)).toMatchObject({ reason: "step-broke" });
  expect(existsSync(join(worktreeIn(project, "story-"), "litter.txt"))).toBe(false);
  await project.say(stories.KEY, "retry");
  expect((await project.runStories()).settled.get(stories.KEY)).toMatchObject({ outcome: "passed" });
});

describe("what a loop that was stopped had recorded and not committed", () => {
  const settings = { testCommand: "bash -c '! grep -rq BROKEN src'" };
  const broken = { path: "src/broken.js", content: "BROKEN\n" };
  const crash = { role: "fixer", end: "crash" };
  const half = (step: { edits: object[] }) => [{ ...step, edits: [broken] }, crash, crash, crash, crash];

  async function stoppedStory() {
    const project = await stories.storiesProject({ [stories.ID]: half(stories.implement) }, { settings });
    await project.runStories();
    project.plan(stories.ID, { steps: [stories.implement, stories.findings(1, [0, 0, 0])] });
    return { project, key: stories.KEY, again: () => project.runStories() };
  }

  async function stoppedTicket() {
    const project = await epics.epicsProject({ a: {} }, { a: half(epics.build("a")) }, { settings });
    await project.runEpic();
    project.plan("limits/a", { steps: [epics.build("a"), epics.pass] });
    return { project, key: TICKET, again: () => project.runEpic() };
  }

  test.for([
    { kind: "story", stopped: stoppedStory },
    { kind: "ticket", stopped: stoppedTicket },
  ])("is ours: a new loop keeps it and starts anew, and refuses what a person did on top: $kind", async (given) => {
    const { project, key, again } = await given.stopped();
    const tree = worktreeIn(project, `${given.kind}-`);
    await project.say(key, "stop");
    expect(readFileSync(join(tree, "src/broken.js"), "utf8")).toBe("BROKEN\n");
    writeFileSync(join(tree, "src/broken.js"), "BROKEN, and mine\n");
    expect(String((await again()).broken.get(key))).toContain("has uncommitted changes");
    writeFileSync(join(tree, "src/broken.js"), "BROKEN\n");
    expect((await again()).settled.get(key)).toMatchObject({ outcome: "passed" });
    expect(existsSync(join(tree, "src/broken.js"))).toBe(false);
    const [ref] = project.repo.git("for-each-ref", "--format=%(refname)", "refs/anneal/kept").split("\n");
    expect(ref).toMatch(/\/1-files$/);
    expect(project.repo.git("show", `${ref}:src/broken.js`)).toBe("BROKEN");
  });
});
