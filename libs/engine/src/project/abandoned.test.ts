import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { own, project } from "./testing/project.ts";

test("a worktree for a baseline that a kill left is removed by the next owner, and no other is", async () => {
  const repo = project({ a: { steps: [] } });
  const places = [".worktrees/baseline-0123456789ab", ".worktrees/mine"];
  for (const path of places) repo.git("worktree", "add", "-q", "--detach", path);
  await own(repo);
  expect(places.map((path) => existsSync(join(repo.dir, path)))).toEqual([false, true]);
  expect(repo.git("worktree", "list")).not.toContain("baseline");
});

test("a review tree in which a kill cut off a git or a write is removed by the next owner, a whole one stays", async () => {
  const repo = project({ a: { steps: [] } });
  const places = [1, 2, 3].map((number) => `.worktrees/.review-${number}`);
  for (const path of places) repo.git("worktree", "add", "-q", "--detach", path);
  const gitDir = (path = "") => repo.git("-C", path, "rev-parse", "--absolute-git-dir");
  writeFileSync(join(gitDir(places[0]), "ORIG_HEAD.lock"), "");
  writeFileSync(join(gitDir(places[1]), ".anneal-setup.json.1-0123456789ab.tmp"), "{");
  await own(repo);
  expect(places.map((path) => existsSync(join(repo.dir, path)))).toEqual([false, false, true]);
  expect(repo.git("worktree", "list").split("\n")).toHaveLength(2);
});
