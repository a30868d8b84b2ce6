import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { killAt } from "../../testing/kill-at.ts";
import { makeRepo } from "../../testing/make-repo.ts";

describe("a kept tree", () => {
  test("outlives git's garbage collection", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "draft\n" });
    const opened = await openRepo(repo.dir);
    const tree = await opened.worktreeTree();
    for (const _ of [1, 2]) await opened.keepTree("refs/anneal/trees/7/fix-1", tree);
    repo.git("gc", "--quiet", "--prune=now");
    expect(repo.git("cat-file", "blob", `${tree}:a`)).toBe("draft");
  });

  test.for(["refs/heads/main", "refs/anneal/../heads/main", "refs/anneal/a b", "main", "", "--all"])(
    "has a name of ours: not %j",
    async (ref) => {
      using repo = makeRepo({ a: "1\n" });
      const opened = await openRepo(repo.dir);
      await expect(opened.keepTree(ref, await opened.treeOf("HEAD"))).rejects.toThrow("not a name under");
      expect(repo.git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
    },
  );

  test.for(["git.keep.before", "git.keep.after"])("killed at %s and run again, it is kept", async (point) => {
    using repo = makeRepo({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    const tree = await opened.treeOf("HEAD");
    const script = `await repo.keepTree("refs/anneal/trees/1", "${tree}");`;
    expect(killAt(point, repo.dir, script)).toMatchObject({ signal: "SIGKILL" });
    await opened.keepTree("refs/anneal/trees/1", tree);
    expect(repo.git("rev-parse", "refs/anneal/trees/1")).toBe(tree);
  });
});
