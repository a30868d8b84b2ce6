import { existsSync } from "node:fs";
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
