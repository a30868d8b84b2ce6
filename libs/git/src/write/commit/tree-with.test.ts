import { expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { type Files, makeRepo } from "../../testing/make-repo.ts";

const HEAD = { a: "1\n", "specs/x/plan*": "plan\n", "specs/x/1": "one\n", "specs/xy": "near\n" };

test.for<{ what: string; change: Files; keeps: string[] }>([
  { what: "an edit", change: { "specs/x/1": "done\n", a: "2\n" }, keeps: ["a"] },
  { what: "a new file", change: { "specs/x/sub/new": "n\n", b: "b\n" }, keeps: ["b"] },
  { what: "a removal", change: { "specs/x/1": null, "specs/x/plan*": null, a: null }, keeps: ["a"] },
  { what: "a link in its place", change: { "specs/x": { link: "/etc" }, b: "b\n" }, keeps: ["b"] },
  { what: "a link above it", change: { specs: { link: "/etc" }, b: "b\n" }, keeps: ["b", "specs/xy"] },
  { what: "nothing", change: { "specs/xy": "far\n" }, keeps: ["specs/xy"] },
])("a path of a tree is put back to what another tree has: $what", async ({ change, keeps }) => {
  using repo = makeRepo(HEAD);
  repo.write(change);
  const opened = await openRepo(repo.dir);
  const tree = await opened.worktreeTree();
  const status = repo.git("status", "--porcelain");
  const kept = await opened.treeWith(tree, { path: "specs/x", from: "HEAD" });
  expect(repo.git("diff", "--name-only", "HEAD", kept).split("\n")).toEqual(keeps);
  expect(repo.git("status", "--porcelain")).toBe(status);
});

test("a path that the other tree does not have is gone", async () => {
  using repo = makeRepo({ a: "1\n" });
  repo.write({ "specs/x/1": "mine\n", b: "b\n" });
  const opened = await openRepo(repo.dir);
  const kept = await opened.treeWith(await opened.worktreeTree(), { path: "specs/x", from: "HEAD" });
  expect(repo.git("ls-tree", "-r", "--name-only", kept).split("\n")).toEqual(["a", "b"]);
});
