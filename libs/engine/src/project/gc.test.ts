import { existsSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import { systemClock } from "@anneal/system/clock";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import * as story from "../golden/testing/sample-stories.ts";
import { collectGarbage } from "./gc.ts";

const removed = (path: string) => expect.arrayContaining([expect.objectContaining({ path })]);

describe("the workspace of a story that was taken over", () => {
  async function takenOver() {
    const project = await story.storiesProject({ [story.ID]: [story.implement, ...Array(4).fill(story.babble)] });
    await project.runStories();
    expect(await project.say(story.KEY, "take-over")).toMatchObject({ result: "taken" });
    const [folder = ""] = readdirSync(`${project.root}.anneal`).filter((name) => name.startsWith("story-"));
    const tree = join(`${project.root}.anneal`, folder);
    const git = (...args: string[]) => project.repo.git("-C", tree, ...args);
    const collect = async (root = project.root) =>
      await collectGarbage(await openRepo(root), { clock: project.clock, dryRun: false });
    return { project, tree, git, collect };
  }

  test("is removed where it stands where the loop left it, and a person's linked work tree that is out of reach keeps its record", async () => {
    const { project, tree, collect } = await takenOver();
    const mine = `${project.root}-mine`;
    project.repo.git("worktree", "add", "--quiet", "--detach", mine);
    rmSync(mine, { recursive: true });
    expect(await collect()).toMatchObject({ workspaces: removed(tree), kept: [] });
    expect(existsSync(tree)).toBe(false);
    expect(project.repo.git("worktree", "list", "--porcelain")).toContain(`worktree ${mine}\n`);
  });

  test("is removed after the project's folder was moved, and it with it", async () => {
    const { project, tree, collect } = await takenOver();
    const moved = `${project.root}-moved`;
    for (const end of ["", ".anneal"]) {
      renameSync(`${project.root}${end}`, `${moved}${end}`);
      onTestFinished(() => rmSync(`${moved}${end}`, { recursive: true, force: true }));
    }
    expect(await collect(moved)).toMatchObject({ workspaces: removed(tree.replace(project.root, moved)), kept: [] });
    expect(readdirSync(`${moved}.anneal`)).toEqual([]);
  });

  test("is no trouble where somebody deleted it", async () => {
    const { tree, collect } = await takenOver();
    rmSync(tree, { recursive: true });
    expect(await collect()).toMatchObject({ workspaces: [], kept: [] });
  });

  test("is removed also where a person has deleted the branch since", async () => {
    const { project, tree, collect } = await takenOver();
    project.repo.git("branch", "--quiet", "-D", story.BRANCH);
    expect(await collect()).toMatchObject({ workspaces: removed(tree), kept: [] });
  });

  test.for([
    { on: "its branch", how: [] },
    { on: "a branch of a person's", how: ["-b", "mine"] },
    { on: "a detached head", how: ["--detach"] },
  ])("stays while it has commits that your repository does not have, on $on", async ({ how }) => {
    const { project, tree, git, collect } = await takenOver();
    if (how.length > 0) git("checkout", "--quiet", ...how);
    writeFileSync(join(tree, "by-hand.js"), "mine\n");
    git("add", "by-hand.js");
    git("commit", "--quiet", "--message", "by hand");
    const mine = git("rev-parse", "HEAD");
    const ways = `git fetch ${tree} ${mine.slice(0, 12)} fetches them, rm -rf ${tree} deletes them`;
    const because = `it has commits that your repository does not have (${mine.slice(0, 12)}): ${ways}`;
    expect(await collect()).toMatchObject({ kept: [{ path: tree, because }] });
    expect(git("rev-parse", "HEAD")).toBe(mine);
    project.repo.git("fetch", "--quiet", tree, "HEAD:saved");
    expect(await collect()).toMatchObject({ workspaces: removed(tree), kept: [] });
  });

  test("stays while a rebase of a person's commits is going on there", async () => {
    const { tree, git, collect } = await takenOver();
    writeFileSync(join(tree, "by-hand.js"), "mine\n");
    git("add", "by-hand.js");
    git("commit", "--quiet", "--message", "by hand");
    git("-c", "sequence.editor=sed -i 1ibreak", "rebase", "--quiet", "--interactive", "HEAD~1");
    const because = "a rebase, merge or bisect is in progress in it";
    expect(await collect()).toMatchObject({ kept: [{ path: tree, because }] });
    git("rebase", "--continue");
    expect(git("log", "-1", "--format=%s")).toBe("by hand");
  });

  test("stays while a submodule there holds changes, or a stash", async () => {
    const { project, tree, git, collect } = await takenOver();
    using library = makeRepo({ lib: "1\n" });
    git("submodule", "--quiet", "add", library.dir, "sub");
    git("commit", "--quiet", "--message", "sub");
    project.repo.git("fetch", "--quiet", tree, "HEAD:saved");
    writeFileSync(join(tree, "sub/lib"), "mine\n");
    expect(await collect()).toMatchObject({
      kept: [{ path: tree, because: "the submodule sub has uncommitted changes" }],
    });
    git("-C", "sub", "-c", "user.name=A", "-c", "user.email=a@example.com", "stash", "--quiet");
    const because = "a submodule has a stash, or commits that exist nowhere else";
    expect(await collect()).toMatchObject({ kept: [{ path: tree, because }] });
    git("-C", "sub", "stash", "drop", "--quiet");
    expect(await collect()).toMatchObject({ workspaces: removed(tree), kept: [] });
  });
});

test.for([true, false])("where nothing was ever run nothing is made (dry run: %s)", async (dryRun) => {
  using repo = makeRepo({ "a.txt": "1\n" });
  const collected = await collectGarbage(await openRepo(repo.dir), { clock: systemClock, dryRun });
  expect(collected).toEqual({ workspaces: [], kept: [], blobs: { removed: 0, bytes: 0 } });
  expect([readdirSync(repo.dir).sort(), existsSync(join(repo.dir, ".git/anneal"))]).toEqual([[".git", "a.txt"], false]);
});
