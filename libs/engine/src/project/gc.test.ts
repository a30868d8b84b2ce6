import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRepo } from "@anneal/adapters/git";
import { describe, expect, test } from "vitest";
import * as story from "../golden/testing/sample-stories.ts";
import { collectGarbage } from "./gc.ts";

const removed = (path: string) => expect.arrayContaining([expect.objectContaining({ path })]);

describe("the worktree of a story that was taken over", () => {
  async function takenOver() {
    const project = await story.storiesProject({ [story.ID]: [story.implement, ...Array(4).fill(story.babble)] });
    await project.runStories();
    expect(await project.say(story.KEY, "take-over")).toMatchObject({ result: "taken" });
    const [folder = ""] = readdirSync(join(project.root, ".worktrees")).filter((name) => name.startsWith("story-"));
    const tree = join(project.root, ".worktrees", folder);
    const git = (...args: string[]) => project.repo.git("-C", tree, ...args);
    const collect = async () =>
      await collectGarbage(await openRepo(project.root), { clock: project.clock, dryRun: false });
    return { project, tree, git, collect };
  }

  test("is removed where it stands where the loop left it", async () => {
    const { tree, collect } = await takenOver();
    expect(await collect()).toMatchObject({ worktrees: removed(tree), kept: [] });
    expect(existsSync(tree)).toBe(false);
  });

  test("is removed also where a person has deleted the branch since", async () => {
    const { project, tree, collect } = await takenOver();
    project.repo.git("branch", "--quiet", "-D", story.BRANCH);
    expect(await collect()).toMatchObject({ worktrees: removed(tree), kept: [] });
  });

  test("stays while it holds commits that no branch has", async () => {
    const { project, tree, git, collect } = await takenOver();
    writeFileSync(join(tree, "by-hand.js"), "mine\n");
    git("add", "by-hand.js");
    git("commit", "--quiet", "--message", "by hand");
    const mine = git("rev-parse", "HEAD");
    const because = `it holds commits that no branch has (${mine.slice(0, 12)})`;
    expect(await collect()).toMatchObject({ kept: [{ path: tree, because }] });
    expect(git("rev-parse", "HEAD")).toBe(mine);
    project.repo.git("branch", "saved", mine);
    expect(await collect()).toMatchObject({ worktrees: removed(tree), kept: [] });
  });

  test("stays while a rebase of a person's commits is going on there", async () => {
    const { tree, git, collect } = await takenOver();
    writeFileSync(join(tree, "by-hand.js"), "mine\n");
    git("add", "by-hand.js");
    git("commit", "--quiet", "--message", "by hand");
    git("-c", "sequence.editor=sed -i 1ibreak", "rebase", "--quiet", "--interactive", "HEAD~1");
    const because = "a rebase, merge or bisect is going on there";
    expect(await collect()).toMatchObject({ kept: [{ path: tree, because }] });
    git("rebase", "--continue");
    expect(git("log", "-1", "--format=%s")).toBe("by hand");
  });
});
