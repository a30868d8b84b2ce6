import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { redact } from "@anneal/adapters/forges";
import { describe, expect, test } from "vitest";
import type { TestRepo } from "../../../git/src/testing/make-repo.ts";
import { forgeProject } from "../golden/testing/forge-project.ts";
import { implementWell } from "../golden/testing/login-feature.ts";
import * as login from "../golden/testing/login-review-loop.ts";
import { PERSON } from "../golden/testing/sample-project.ts";
import * as story from "../golden/testing/sample-stories.ts";
import * as units from "../golden/testing/sample-units.ts";
import { allowPush } from "../kinds/pull-request/pull-requests.ts";

/** A person's work in the workspace that an item left, or in any other work tree. */
function byHand(repo: TestRepo, tree: string, how: "amended" | "added"): string {
  const git = (...args: string[]) => repo.git("-C", tree, ...args);
  writeFileSync(join(tree, "by-hand.js"), "mine\n");
  git("add", "by-hand.js");
  git("commit", "--quiet", ...(how === "amended" ? ["--amend"] : []), "--message", "by hand");
  return git("rev-parse", "HEAD");
}

/** The same in the person's own work tree, on a branch that is checked out there for it. */
function atHome(repo: TestRepo, branch: string, how: "amended" | "added"): string {
  const before = repo.git("symbolic-ref", "--short", "HEAD");
  repo.git("switch", "--quiet", branch);
  const commit = byHand(repo, repo.dir, how);
  repo.git("switch", "--quiet", before);
  return commit;
}

const treeOf = ({ root }: { root: string }, kind: string) => {
  const folders = readdirSync(`${root}.anneal`).filter((name) => name.startsWith(kind));
  return join(`${root}.anneal`, folders[0] ?? "");
};

describe("a feature that was taken over", () => {
  async function takenOver() {
    const steps = [implementWell, login.passes, { ...implementWell, answer: "Again.\n" }, login.passes, login.passes];
    const project = await forgeProject(steps, { consent: "missing" });
    const { id, root, clock, forge } = project;
    await project.run([id]);
    expect(await project.say(id, "take-over")).toMatchObject({ result: "taken" });
    await allowPush(root, { url: redact(forge.dir), by: PERSON, at: clock.now() });
    return { project, id, tree: join(`${root}.anneal`, id), branch: `feature/${id}` };
  }

  test.for([
    { how: "amended", where: "your own work tree" },
    { how: "added", where: "your own work tree" },
    { how: "added", where: "its workspace" },
  ] as const)(
    "with a commit $how in $where is reviewed as it stands and pushed, its rounds counted on; nothing is built anew",
    async ({ how, where }) => {
      const { project, id, tree, branch } = await takenOver();
      const mine = where === "its workspace" ? byHand(project.repo, tree, how) : atHome(project.repo, branch, how);
      const { settled, broken } = await project.run([id]);
      expect([...broken]).toEqual([]);
      const state = settled.get(id);
      expect(state).toMatchObject({ stage: "awaiting-feedback", head: mine, earlierRounds: 1 });
      expect(state?.rounds.map(({ number, head }) => [number, head])).toEqual([[2, mine]]);
      expect(project.repo.git("rev-parse", branch)).toBe(mine);
      expect(project.repo.git("ls-remote", "origin", branch)).toContain(mine);
      expect(project.troubles.at(-1)).toContain("it is reviewed as it is");
      expect(project.troubles).toHaveLength(where === "its workspace" ? 2 : 1);
    },
  );

  test("with the last commit amended in its workspace is refused with all ways on, and each of them is one", async () => {
    const { project, id, tree, branch } = await takenOver();
    const left = project.repo.git("rev-parse", branch);
    const mine = byHand(project.repo, tree, "amended");
    const { broken } = await project.run([id]);
    const [, fetch = ""] =
      /or (git fetch .*) to keep only the commits of the workspace$/.exec(String(broken.get(id))) ?? [];
    expect(project.repo.git("rev-parse", branch)).toBe(left);
    project.repo.git(...fetch.split(" ").slice(1));
    expect((await project.run([id])).settled.get(id)).toMatchObject({ stage: "awaiting-feedback", head: mine });
  });

  test("with its branch as the loop left it is built anew, and that work is kept", async () => {
    const { project, id, branch } = await takenOver();
    const left = project.repo.git("rev-parse", branch);
    await project.run([id]);
    expect(project.repo.git("rev-parse", branch)).not.toBe(left);
    expect(project.repo.git("rev-parse", `refs/anneal/kept/${id}/1`)).toBe(left);
  });

  test("with changes that are not committed is refused, and they stay", async () => {
    const { project, id, tree } = await takenOver();
    byHand(project.repo, tree, "added");
    writeFileSync(join(tree, "by-hand.js"), "more\n");
    const { broken } = await project.run([id]);
    expect(String(broken.get(id))).toContain("has uncommitted changes");
  });
});

test("a person's commits on the branch of a feature that was stopped are refused, and the message says what to do", async () => {
  const project = await forgeProject([implementWell, login.passes, implementWell, login.passes]);
  const { id, repo, root } = project;
  await project.run([id]);
  await project.say(id, "stop");
  const mine = byHand(repo, join(`${root}.anneal`, id), "added");
  const { broken } = await project.run([id]);
  expect(String(broken.get(id))).toContain(`has commits that a new loop would drop (${mine.slice(0, 12)})`);
  expect(String(broken.get(id))).toContain("another branchName, or merge it first; to review them as they are");
  expect(repo.git("rev-parse", `feature/${id}`)).toBe(mine);
});

test("a unit that was taken over after a conflict is reviewed as it stands and merged", async () => {
  const project = await units.unitsProject({
    steps: { greeting: [units.implement] },
    reviews: [units.clean, units.clean],
  });
  const { repo } = project;
  // The settings name scripts: from the repository they would be refused.
  repo.write({ ".git/info/exclude": ".automaker/\n" });
  const branch = repo.git("branch", "--show-current");
  let meanwhile = false;
  await project.run(["unit:greeting"], {
    cast: { reviewer: `scripted:${join(project.root, ".automaker/plans/second.json")}` },
    onEvent: ({ event }) => {
      if (event.type !== "reviewed" || meanwhile) return;
      meanwhile = true;
      repo.commit({ "src/greet.js": "export const greet = 1;\n" });
    },
  });
  expect(await project.say("unit:greeting", "take-over")).toMatchObject({ result: "taken" });
  const tree = treeOf(project, "unit-");
  repo.git("-C", tree, "fetch", "--quiet", repo.dir, branch);
  repo.git("-C", tree, "merge", "--quiet", "-X", "ours", "-m", "resolved", "FETCH_HEAD");
  const { settled, broken } = await project.runUnits();
  expect([...broken]).toEqual([]);
  expect(settled.get("unit:greeting")).toMatchObject({ outcome: "merged" });
  expect(repo.git("log", "--format=%s", branch)).toContain("resolved");
});

describe("a story that was taken over and says review takes what was committed in its worktree", () => {
  async function takenOver() {
    const important = (round: number) => story.findings(round, [0, 1, 0]);
    const project = await story.storiesProject({
      [story.ID]: [story.implement, important(1), story.fix, important(2), story.fixElsewhere("b"), important(3)],
    });
    await project.runStories();
    expect(await project.say(story.KEY, "take-over")).toMatchObject({ result: "taken" });
    project.setStatus("review");
    project.plan(story.ID, { steps: [story.findings(4, [0, 0, 0])] });
    return { project, tree: treeOf(project, "story-") };
  }

  test.for([
    { how: "added", where: "there" },
    { how: "added", where: "in your own work tree" },
    { how: "amended", where: "in your own work tree" },
  ] as const)("with a commit $how $where", async ({ how, where }) => {
    const { project, tree } = await takenOver();
    if (where === "there") byHand(project.repo, tree, how);
    else atHome(project.repo, story.BRANCH, how);
    const { settled, broken } = await project.runStories();
    expect([...broken]).toEqual([]);
    expect(settled.get(story.KEY)).toMatchObject({ outcome: "passed", earlierRounds: 3 });
    expect(project.repo.git("log", "--format=%s", story.BRANCH)).toContain("by hand");
    expect(project.repo.git("ls-tree", "--name-only", story.BRANCH)).toContain("by-hand.js");
    const message = /your commits in .* are now on story-2-1-d4/;
    expect(project.troubles).toEqual(where === "there" ? [expect.stringMatching(message)] : []);
  });

  test("also where a power cut has left its HEAD empty since", async () => {
    const { project, tree } = await takenOver();
    byHand(project.repo, tree, "added");
    writeFileSync(join(tree, ".git/HEAD"), "");
    const { settled, broken } = await project.runStories();
    expect([...broken]).toEqual([]);
    expect(settled.get(story.KEY)).toMatchObject({ outcome: "passed" });
    expect(project.repo.git("log", "--format=%s", story.BRANCH)).toContain("by hand");
  });

  test("unless the branch has gone on elsewhere: then it is refused with all ways out, and nothing moves", async () => {
    const { project, tree } = await takenOver();
    const { repo } = project;
    byHand(repo, tree, "added");
    const other = repo.git("commit-tree", "-p", story.BRANCH, "-m", "elsewhere", `${story.BRANCH}^{tree}`);
    repo.git("branch", "--force", story.BRANCH, other);
    const { broken } = await project.runStories();
    expect(String(broken.get(story.KEY))).toMatch(
      /to merge both, or git fetch .* to keep only the commits of the workspace$/,
    );
    expect(repo.git("rev-parse", story.BRANCH)).toBe(other);
  });
});
