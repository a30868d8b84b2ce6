import { describe, expect, test } from "vitest";
import { makeRepo } from "../testing/make-repo.ts";
import { openRepo } from "./index.ts";
import { killAt } from "./testing/kill-at.ts";

describe("a kept tree", () => {
  test("outlives git's garbage collection, until it is dropped", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "draft\n" });
    const opened = await openRepo(repo.dir);
    const tree = await opened.worktreeTree();
    for (const _ of [1, 2]) await opened.keepTree("refs/anneal/trees/7/fix-1", tree);
    repo.git("gc", "--quiet", "--prune=now");
    expect(repo.git("cat-file", "blob", `${tree}:a`)).toBe("draft");
    for (const _ of [1, 2]) await opened.dropKept("refs/anneal/trees/7");
    repo.git("gc", "--quiet", "--prune=now");
    expect(() => repo.git("cat-file", "-e", tree)).toThrow();
  });

  test("is dropped by whole parts of its name only", async () => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    const tree = await opened.treeOf("HEAD");
    for (const name of ["7/a", "7/b", "70/a"]) await opened.keepTree(`refs/anneal/trees/${name}`, tree);
    await opened.dropKept("refs/anneal/trees/7/");
    expect(repo.git("for-each-ref", "--format=%(refname)", "refs/anneal")).toBe("refs/anneal/trees/70/a");
  });

  test.for(["refs/heads/main", "refs/anneal/../heads/main", "refs/anneal/a b", "main", "", "--all"])(
    "has a name of ours: not %j",
    async (ref) => {
      using repo = makeRepo({ a: "1\n" });
      const opened = await openRepo(repo.dir);
      await expect(opened.keepTree(ref, await opened.treeOf("HEAD"))).rejects.toThrow("not a name under");
      await expect(opened.dropKept(ref)).rejects.toThrow("not a name under");
      expect(repo.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    },
  );

  test.for(["git.keep.before", "git.keep.after", "git.drop.before", "git.drop.after"])(
    "killed at %s and run again, it is kept and then dropped",
    async (point) => {
      using repo = makeRepo({ a: "1\n" });
      const opened = await openRepo(repo.dir);
      const tree = await opened.treeOf("HEAD");
      const script = `await repo.keepTree("refs/anneal/trees/1", "${tree}"); await repo.dropKept("refs/anneal/trees");`;
      expect(killAt(point, repo.dir, script)).toMatchObject({ signal: "SIGKILL" });
      await opened.keepTree("refs/anneal/trees/1", tree);
      expect(repo.git("rev-parse", "refs/anneal/trees/1")).toBe(tree);
      await opened.dropKept("refs/anneal/trees");
      expect(repo.git("for-each-ref", "refs/anneal")).toBe("");
    },
  );
});
