import { renameSync } from "node:fs";
import { redact } from "@anneal/adapters/forges";
import { describe, expect, test } from "vitest";
import { type ForgeProject, forgeProject, withForge } from "../../golden/testing/forge-project.ts";
import { FEATURE, implementWell } from "../../golden/testing/login-feature.ts";
import { passes } from "../../golden/testing/login-review-loop.ts";
import { PERSON } from "../../golden/testing/sample-project.ts";
import { findings, storiesProject, storyText } from "../../golden/testing/sample-stories.ts";
import type { AutoResult } from "../../project/auto-mode.ts";
import { allowPush } from "./pull-requests.ts";

const clean = findings(1, [0, 0, 0]);
const builds = (file: string) => ({
  role: "implementer",
  answer: "Built.",
  edits: [{ path: file, content: `${file}\n` }],
});
const fileOf = (id: string) => `docs/stories/${id}.md`;
const branchOf = (id: string) => `story-${id.replace(".", "-")}-part`;
const ended = ({ settled, broken }: AutoResult, key: string) => broken.get(key) ?? settled.get(key);

/** Stories that depend on each other, on a fake forge. */
async function stories(needs: Record<string, string[]> = { "1.1": [], "1.2": ["1.1"] }, settings = {}) {
  const ids = Object.keys(needs);
  const text = (id: string) => storyText(id, "Part", `depends_on: [${needs[id]?.join(", ")}]\n`);
  const files = Object.fromEntries(ids.map((id) => [fileOf(id), text(id)]));
  const plans = Object.fromEntries(ids.map((id) => [id, [builds(`src/${id}.js`), clean]]));
  const project = await storiesProject(plans, { files, settings });
  const { repo } = project;
  const { dir, forge } = await withForge(project);
  return {
    ...project,
    dir,
    forge,
    alice: forge.as("alice"),
    run: async (id: string) => ended(await project.runStories([fileOf(id)]), `story:${id}`),
    there: (branch: string) => repo.git("-C", dir, "rev-parse", branch),
    /** The files that a story's branch has over the start. */
    built: (id: string) => repo.git("ls-tree", "--name-only", branchOf(id), "src/").split("\n").sort(),
    refs: () => repo.git("for-each-ref", "--format=%(refname) %(objectname)"),
  };
}

const ALL = ["src/1.1.js", "src/1.2.js", "src/readers.js"];

describe("a story on one whose pull request is merged", () => {
  test.for([
    { how: "merged", after: "its branch stays", squashed: false, deleted: false },
    { how: "merged", after: "its branch is deleted", squashed: false, deleted: true },
    { how: "squashed", after: "its branch stays", squashed: true, deleted: false },
    { how: "squashed", after: "its branch is deleted", squashed: true, deleted: true },
  ])("starts from its base as it is there, and goes into that: $how, $after", async ({ squashed, deleted }) => {
    const { run, forge, alice, repo, there, built } = await stories();
    expect(await run("1.1")).toMatchObject({ outcome: "passed", pr: { number: 1 } });
    const local = repo.git("rev-parse", "main");
    if (squashed) await forge.merge(1, { method: "squash", expectedHead: there(branchOf("1.1")) });
    else await alice.merge(1);
    if (deleted) await alice.deleteBranch(branchOf("1.1"));
    const base = there("main");
    expect(await run("1.2")).toMatchObject({ outcome: "passed", pr: { number: 2 }, base });
    expect(await forge.get(2)).toMatchObject({ base: "main" });
    expect(built("1.2")).toEqual(ALL);
    expect(await alice.merge(2)).toMatchObject({ result: "merged" });
    expect(repo.git("-C", forge.dir, "ls-tree", "--name-only", "main", "src/").split("\n")).toEqual(ALL);
    expect(repo.git("rev-parse", "main"), "the person's own branch").toBe(local);
  });

  test("is stacked on it while that is open, and nothing is fetched", async () => {
    const { run, forge, alice, repo, built } = await stories();
    await run("1.1");
    await alice.push("main", { "theirs.txt": "1\n" });
    const known = repo.git("rev-parse", "origin/main");
    expect(await run("1.2")).toMatchObject({ outcome: "passed" });
    expect(await forge.get(2)).toMatchObject({ base: branchOf("1.1") });
    expect(built("1.2")).toEqual(ALL);
    expect(repo.git("rev-parse", "origin/main")).toBe(known);
  });

  test("starts from the base where somebody has fetched the merge already", async () => {
    const { run, forge, alice, repo, there } = await stories();
    await run("1.1");
    await alice.merge(1);
    repo.git("fetch", "--quiet");
    const base = there("main");
    expect(await run("1.2")).toMatchObject({ base });
    expect(await forge.get(2)).toMatchObject({ base: "main" });
  });

  test("takes another one that is open along only where that holds the merge", async () => {
    const { run, alice, refs } = await stories({ "1.1": [], "1.2": [], "1.3": ["1.1", "1.2"] });
    await run("1.1");
    await run("1.2");
    await alice.merge(1);
    const heads = () =>
      refs()
        .split("\n")
        .filter((line) => line.startsWith("refs/heads/"));
    const before = heads();
    expect(await run("1.3")).toMatchObject({ message: expect.stringMatching(/main and story-1-2-part.*merge/) });
    expect(heads()).toEqual(before);
  });
});

describe("a story on one that was merged into the branch of a third", () => {
  const NEEDS = { "1.1": [], "1.2": ["1.1"], "1.3": ["1.2"] };

  test("goes into that branch while its own pull request is open", async () => {
    const { run, forge, alice, built } = await stories(NEEDS);
    await run("1.1");
    await run("1.2");
    await alice.merge(2);
    expect(await run("1.3")).toMatchObject({ outcome: "passed" });
    expect(await forge.get(3)).toMatchObject({ base: branchOf("1.1") });
    expect(built("1.3")).toContain("src/1.2.js");
  });

  test.for([
    { method: "merge", deleted: false },
    { method: "squash", deleted: false },
    { method: "squash", deleted: true },
  ] as const)("goes to where that went with it: $method, deleted: $deleted", async ({ method, deleted }) => {
    const { run, forge, alice, there, built } = await stories(NEEDS);
    await run("1.1");
    await run("1.2");
    if (deleted) await forge.merge(2, { method, expectedHead: there(branchOf("1.2")) });
    else await alice.merge(2);
    if (deleted) await alice.push(branchOf("1.1"), { "theirs.txt": "1\n" });
    await forge.merge(1, { method, expectedHead: there(branchOf("1.1")) });
    if (deleted) for (const id of ["1.1", "1.2"]) await alice.deleteBranch(branchOf(id));
    expect(await run("1.3")).toMatchObject({ outcome: "passed", base: there("main") });
    expect(await forge.get(3)).toMatchObject({ base: "main" });
    expect(built("1.3")).toContain("src/1.2.js");
  });

  test("is refused where that went without it, until somebody brings it there", async () => {
    const { run, alice, refs, repo, dir, there, built } = await stories(NEEDS);
    await run("1.1");
    await run("1.2");
    await alice.merge(1);
    await alice.merge(2);
    const work = there(branchOf("1.2"));
    for (const id of ["1.1", "1.2"]) await alice.deleteBranch(branchOf(id));
    const heads = () =>
      refs()
        .split("\n")
        .filter((line) => line.startsWith("refs/heads/"));
    const before = heads();
    expect(await run("1.3")).toMatchObject({
      message: `pull request 2 of story:1.2 was merged into story-1-1-part, which was merged into main without it: merge ${work.slice(0, 12)} into main (git merge, then git push), or remove story:1.2 from the dependencies`,
    });
    expect(heads()).toEqual(before);
    const tree = repo.git("-C", dir, "merge-tree", "--write-tree", "main", work);
    const merge = repo.git("-C", dir, "commit-tree", "-p", "main", "-p", work, "-m", "Brought along.", tree);
    repo.git("-C", dir, "update-ref", "refs/heads/main", merge);
    expect(await run("1.3")).toMatchObject({ outcome: "passed", base: there("main") });
    expect(built("1.3")).toContain("src/1.2.js");
  });
});

describe("a story whose branch below is merged while it is under way", () => {
  test.for([
    { method: "merge", deleted: false },
    { method: "merge", deleted: true },
    { method: "squash", deleted: true },
  ] as const)(
    "goes to where that went, and keeps its base: $method, deleted: $deleted",
    async ({ method, deleted }) => {
      const { run, say, root, clock, dir, forge, alice, there, troubles } = await stories();
      await run("1.1");
      const below = there(branchOf("1.1"));
      await allowPush(root, { url: "elsewhere", by: PERSON, at: clock.now() });
      expect(await run("1.2")).toMatchObject({ reason: "push-consent", base: below });
      await forge.merge(1, { method, expectedHead: below });
      if (deleted) await alice.deleteBranch(branchOf("1.1"));
      await allowPush(root, { url: redact(dir), by: PERSON, at: clock.now() });
      await say("story:1.2", "retry");
      expect(await run("1.2")).toMatchObject({ outcome: "passed", pr: { number: 2 }, base: below });
      expect(await forge.get(2)).toMatchObject({ base: "main" });
      expect(troubles).toContain(`story:1.2: ${branchOf("1.1")} is already merged, so the pull request goes into main`);
      expect(await alice.merge(2)).toMatchObject({ result: "merged" });
    },
  );

  test("is held where the base was put back to before that", async () => {
    const { run, say, root, clock, dir, repo, forge, there } = await stories();
    await run("1.1");
    const before = there("main");
    await allowPush(root, { url: "elsewhere", by: PERSON, at: clock.now() });
    await run("1.2");
    await forge.merge(1, { method: "squash", expectedHead: there(branchOf("1.1")) });
    repo.git("-C", dir, "update-ref", "refs/heads/main", before);
    await allowPush(root, { url: redact(dir), by: PERSON, at: clock.now() });
    await say("story:1.2", "retry");
    const detail = expect.stringContaining("main on origin does not contain the commits that this work is built on");
    expect(await run("1.2")).toMatchObject({ reason: "delivery-refused", detail });
    expect(await forge.fromBranch(branchOf("1.2"))).toEqual([]);
  });

  test("is held where that went on without it", async () => {
    const { run, say, root, clock, dir, alice } = await stories({ "1.1": [], "1.2": ["1.1"], "1.3": ["1.2"] });
    await run("1.1");
    await run("1.2");
    await allowPush(root, { url: "elsewhere", by: PERSON, at: clock.now() });
    await run("1.3");
    await alice.merge(1);
    await alice.merge(2);
    await allowPush(root, { url: redact(dir), by: PERSON, at: clock.now() });
    await say("story:1.3", "retry");
    const detail = expect.stringContaining("which was merged into main without it");
    expect(await run("1.3")).toMatchObject({ reason: "delivery-refused", detail });
  });
});

describe("nothing begins, and it is said what to do", () => {
  type Project = Awaited<ReturnType<typeof stories>>;

  test.for([
    {
      when: "the base has diverged",
      act: async ({ repo }: Project) => void repo.git("commit", "--quiet", "--allow-empty", "--message=mine"),
      says: /main here and main on origin have diverged.*git pull/,
    },
    {
      when: "the remote is out of reach",
      act: async ({ dir }: Project) => renameSync(dir, `${dir}.away`),
      says: /pull request 1 of story:1\.1, but it is unknown whether that pull request is merged.*origin.*git remote -v/,
    },
    {
      when: "the forge turns us away",
      act: ({ forge }: Project) => forge.limitUntil(4_000_000_000_000),
      says: /pull request 1 of story:1\.1, but it is unknown whether that pull request is merged.*accepts no more requests/,
    },
    {
      when: "the base was put back to before the merge",
      act: async ({ repo, dir }: Project) => void repo.git("push", "--quiet", "--force", dir, "main"),
      says: /main on origin does not contain/,
    },
    {
      when: "the base is gone",
      act: async ({ alice }: Project) => alice.deleteBranch("main"),
      says: /origin has no branch main/,
    },
  ])("where $when", async ({ act, says }) => {
    const project = await stories();
    await project.run("1.1");
    await project.alice.merge(1);
    await act(project);
    const heads = () =>
      project
        .refs()
        .split("\n")
        .filter((line) => line.startsWith("refs/heads/"));
    const before = heads();
    expect(await project.run("1.2")).toMatchObject({ name: "LastingError", message: expect.stringMatching(says) });
    expect(heads()).toEqual(before);
    expect(project.status(fileOf("1.2"))).toBe("pending");
    expect(
      await project.notifications().then((notifications) => notifications.filter(({ item }) => item === "story:1.2")),
    ).toEqual([]);
  });

  test("and what was brought together goes on", async () => {
    const project = await stories();
    const { repo, run, alice, there } = project;
    await run("1.1");
    await alice.merge(1);
    repo.git("commit", "--quiet", "--allow-empty", "--message=mine");
    await run("1.2");
    repo.git("pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main");
    expect(await run("1.2")).toMatchObject({ outcome: "passed", base: there("main") });
  });
});

describe("a feature on one whose pull request is merged", () => {
  /** The second feature of a project whose first one is merged. */
  async function second(project: ForgeProject) {
    const steps = [builds("src/second.js"), passes];
    return await project.add({ ...FEATURE, title: "Second", dependencies: [project.id] }, { steps });
  }

  async function opened({ base = "main" } = {}) {
    const project = await forgeProject([implementWell, passes], { settings: { pullRequests: { base } } });
    const { forge, id, repo } = project;
    if (base !== "main") await forge.as("alice").push(base, { "theirs.txt": "1\n" }, "main");
    repo.git("fetch", "--quiet");
    expect(ended(await project.run([id]), id)).toMatchObject({ stage: "awaiting-feedback" });
    return {
      project,
      next: await second(project),
      there: (ref: string) => repo.git("-C", forge.dir, "rev-parse", ref),
    };
  }

  test.for([
    { how: "by our own watch", foreign: false, approved: true },
    { how: "by hand", foreign: false, approved: false },
    { how: "by hand with a commit of somebody else", foreign: true, approved: false },
  ])("starts from what took it in: $how", async ({ foreign, approved }) => {
    const { project, next, there } = await opened();
    const { forge, repo, id } = project;
    if (foreign) await forge.as("alice").push(`feature/${id}`, { "theirs.txt": "mine\n" });
    if (approved) await forge.as("alice").review(1, { state: "approved" });
    else await forge.as("alice").merge(1);
    await project.run([id], { stays: approved });
    expect(project.feature(id)).toMatchObject({ status: "completed" });
    const base = there("main");
    expect(ended(await project.run([next]), next)).toMatchObject({
      stage: "awaiting-feedback",
      base,
      pr: { number: 2 },
    });
    expect(await forge.get(2)).toMatchObject({ base: "main" });
    expect(repo.git("ls-tree", "-r", "--name-only", `feature/${next}`)).toContain("src/auth/login.js");
    expect(project.troubles.filter((line) => line.includes("NOT REVIEWED"))).toHaveLength(foreign ? 1 : 0);
  });

  test("goes into the same branch as that", async () => {
    const { project, next, there } = await opened({ base: "develop" });
    const { forge, id } = project;
    await forge.as("alice").merge(1);
    await project.run([id]);
    const base = there("develop");
    expect(ended(await project.run([next]), next)).toMatchObject({ base });
    expect(await forge.get(2)).toMatchObject({ base: "develop" });
  });

  test.for([
    {
      when: "the base has diverged",
      act: async ({ repo }: ForgeProject) => void repo.git("commit", "--quiet", "--allow-empty", "--message=mine"),
      says: /have diverged/,
    },
    {
      when: "the remote is out of reach",
      act: async ({ forge }: ForgeProject) => renameSync(forge.dir, `${forge.dir}.away`),
      says: /of .*, but it is unknown whether that pull request is merged/,
    },
  ])("is not begun where $when", async ({ act, says }) => {
    const { project, next } = await opened();
    await project.forge.as("alice").merge(1);
    await project.run([project.id]);
    await act(project);
    expect(ended(await project.run([next]), next)).toMatchObject({ message: expect.stringMatching(says) });
    expect(project.repo.git("branch", "--list", `feature/${next}`)).toBe("");
    expect(project.feature(next)).toMatchObject({ status: "backlog" });
  });
});
