import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import { workspacesOf } from "@anneal/workspace";
import { expect, test } from "vitest";
import { own, project } from "../project/testing/project.ts";

test("the workspace of a baseline that a kill left and a half-made one are removed by the next owner, and no other is", async () => {
  const repo = project({ a: { steps: [] } });
  const workspaces = workspacesOf(await openRepo(repo.dir));
  const names = ["baseline-0123456789ab", "review-1", "a"];
  for (const name of names) await workspaces.copyAt(name, repo.git("rev-parse", "HEAD"));
  mkdirSync(workspaces.pathOf(".new-b"));
  await own(repo);
  expect([...names, ".new-b"].filter((name) => existsSync(workspaces.pathOf(name)))).toEqual(["review-1", "a"]);
});

test("a reviewer's copy in which a kill cut off a git is removed by the next owner, and what one left of a write in any of them", async () => {
  const repo = project({ a: { steps: [] } });
  const workspaces = workspacesOf(await openRepo(repo.dir));
  const names = ["review-1", "review-2", "a"];
  const left = ".index.999999999-0123456789ab.tmp";
  for (const name of names) {
    const { gitDir } = await workspaces.copyAt(name, repo.git("rev-parse", "HEAD"));
    mkdirSync(join(gitDir, "anneal", left), { recursive: true });
    if (name !== "review-2") writeFileSync(join(gitDir, "index.lock"), "");
  }
  await own(repo);
  expect(names.filter((name) => existsSync(workspaces.pathOf(name)))).toEqual(["review-2", "a"]);
  const strays = ["review-2", "a"].filter((name) => existsSync(join(workspaces.pathOf(name), ".git/anneal", left)));
  expect(strays).toEqual([]);
});
