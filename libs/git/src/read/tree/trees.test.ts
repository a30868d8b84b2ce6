import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { killAt } from "../../testing/kill-at.ts";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";

const names = (repo: TestRepo, tree: string) => repo.git("ls-tree", "-r", "--name-only", tree).split("\n");
const index = (repo: TestRepo) => readFileSync(join(repo.dir, ".git/index"));

describe("uncommitted work as a tree", () => {
  test("staged: exactly what is in the index, which stays byte for byte as it was", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "2\n", b: "b\n" });
    repo.git("add", "a");
    repo.write({ a: "3\n" });
    const before = index(repo);
    const tree = await (await openRepo(repo.dir)).stagedTree();
    expect(names(repo, tree)).toEqual(["a"]);
    expect(repo.git("cat-file", "blob", `${tree}:a`)).toBe("2");
    expect(index(repo).equals(before)).toBe(true);
  });

  test("work tree: tracked, removed and untracked files, but no ignored ones, and the index stays as it was", async () => {
    using repo = makeRepo({ a: "1\n", gone: "x", ".gitignore": "ignored\n" });
    repo.write({ a: "2\n", gone: null, "new dir/é": "n\n", ignored: "i\n" });
    const before = index(repo);
    const tree = await (await openRepo(repo.dir)).worktreeTree();
    expect(repo.git("ls-tree", "-rz", "--name-only", tree).split("\0")).toEqual([".gitignore", "a", "new dir/é", ""]);
    expect(repo.git("cat-file", "blob", `${tree}:a`)).toBe("2");
    expect(index(repo).equals(before)).toBe(true);
  });

  test("both work before the first commit", async () => {
    using repo = makeRepo();
    repo.write({ a: "1\n" });
    const opened = await openRepo(repo.dir);
    expect(await opened.stagedTree()).toBe(await opened.emptyTree());
    expect(names(repo, await opened.worktreeTree())).toEqual(["a"]);
  });

  test("staged conflicts are refused with their paths", async () => {
    using repo = makeRepo({ "a b": "1\n" });
    repo.git("checkout", "--quiet", "-b", "side");
    repo.commit({ "a b": "side\n" });
    repo.git("checkout", "--quiet", "main");
    repo.commit({ "a b": "main\n" });
    expect(() => repo.git("merge", "side")).toThrow();
    const opened = await openRepo(repo.dir);
    const refusal = { kind: "unmerged", paths: ["a b"], message: expect.stringContaining("a b") };
    await expect(opened.stagedTree()).rejects.toMatchObject(refusal);
    await expect(opened.commitAll("no")).rejects.toMatchObject(refusal);
    const tree = await opened.worktreeTree();
    expect(repo.git("cat-file", "blob", `${tree}:a b`)).toContain("<<<<<<<");
  });

  test("a copy of the index that a killed process left is gone after the next look", async () => {
    using repo = makeRepo({ a: "1\n" });
    repo.write({ a: "2\n" });
    const copies = () => readdirSync(join(repo.dir, ".git/anneal"));
    expect(killAt("git.index-copy.after", repo.dir, "await repo.worktreeTree();").signal).toBe("SIGKILL");
    expect(copies()).toHaveLength(1);
    const tree = await (await openRepo(repo.dir)).worktreeTree();
    expect([copies(), repo.git("cat-file", "blob", `${tree}:a`)]).toEqual([[], "2"]);
  });
});
