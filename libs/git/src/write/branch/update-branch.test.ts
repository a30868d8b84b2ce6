import { expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { killAt } from "../../testing/kill-at.ts";
import { makeRepo } from "../../testing/make-repo.ts";

test("a branch is made where there is none, and one that stands there already is fine", async () => {
  using repo = makeRepo({ a: "1\n" });
  const opened = await openRepo(repo.dir);
  const request = { branch: "story", from: null, to: "main" };
  await opened.updateBranch(request);
  await opened.updateBranch(request);
  expect(repo.git("rev-parse", "story")).toBe(repo.git("rev-parse", "main"));
  expect(repo.git("symbolic-ref", "HEAD")).toBe("refs/heads/main");
});

test("a branch is put elsewhere only from where it is expected, and only if nobody has it checked out", async () => {
  using repo = makeRepo({ a: "1\n" });
  const base = repo.git("rev-parse", "main");
  repo.git("checkout", "-q", "-b", "story");
  const tip = repo.commit({ a: "2\n" });
  const opened = await openRepo(repo.dir);
  const back = { branch: "story", from: tip, to: base };
  await expect(opened.updateBranch(back)).rejects.toMatchObject({ kind: "worktree-taken" });
  repo.git("checkout", "-q", "main");
  await expect(opened.updateBranch({ ...back, from: null })).rejects.toMatchObject({ kind: "moved" });
  expect(repo.git("rev-parse", "story")).toBe(tip);
  await opened.updateBranch(back);
  expect(repo.git("rev-parse", "story")).toBe(base);
});

test.for(["git.place.before", "git.place.after"])("killed at %s, it is done by the next try", async (point) => {
  using repo = makeRepo({ a: "1\n" });
  const script = 'await repo.updateBranch({ branch: "story", from: null, to: "main" });';
  expect(killAt(point, repo.dir, script)).toMatchObject({ signal: "SIGKILL" });
  await (await openRepo(repo.dir)).updateBranch({ branch: "story", from: null, to: "main" });
  expect(repo.git("rev-parse", "story")).toBe(repo.git("rev-parse", "main"));
});
