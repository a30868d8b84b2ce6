import { existsSync, mkdirSync } from "node:fs";
import { openRepo } from "@anneal/adapters/git";
import { workspacesOf } from "@anneal/adapters/workspace";
import { expect, test } from "vitest";
import { own, project } from "./testing/project.ts";

test("the workspace of a baseline that a kill left and a half-made one are removed by the next owner, and no other is", async () => {
  const repo = project({ a: { steps: [] } });
  const workspaces = workspacesOf(await openRepo(repo.dir));
  const names = ["baseline-0123456789ab", "review-1", "a"];
  for (const name of names) await workspaces.copyAt(name, repo.git("rev-parse", "HEAD"));
  mkdirSync(workspaces.pathOf(".new-b"));
  await own(repo);
  expect([...names, ".new-b"].filter((name) => existsSync(workspaces.pathOf(name)))).toEqual(["review-1", "a"]);
});

test("a reviewer's copy that a kill left damaged is made anew when it is lent again", async () => {
  const repo = project({ a: { steps: [] } });
  const head = repo.git("rev-parse", "HEAD");
  const workspaces = workspacesOf(await openRepo(repo.dir));
  for (const damage of ["index.lock", "HEAD.lock"]) {
    const { gitDir } = await workspaces.copyAt("review-1", head);
    mkdirSync(`${gitDir}/${damage}`);
    expect(await (await workspaces.copyAt("review-1", head)).isAt(head)).toBe(true);
  }
});
