import { createHash } from "node:crypto";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ReviewOutput } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { anneal } from "../testing/anneal.ts";
import { makeRepo, PROJECT, type TestRepo } from "../testing/branches.ts";

/** A repository with staged, unstaged, untracked and ignored work in it. */
function busyRepo(): TestRepo {
  const repo = makeRepo({ ...PROJECT, ".gitignore": "cache/\n" });
  repo.write({ "src/staged.ts": "export const staged = 1;\n" });
  repo.git("add", "src/staged.ts");
  repo.write({
    "src/staged.ts": "export const staged = 2;\n",
    "src/cart.ts": "export const total = () => 0;\n",
    "src/untracked.ts": "export const untracked = 1;\n",
    "cache/ignored.ts": "export const ignored = 1;\n",
  });
  return repo;
}

async function reviewed(repo: TestRepo, ...args: string[]): Promise<ReviewOutput> {
  const run = await anneal(repo.dir, ["review", "--format", "json", ...args]);
  expect(run).toMatchObject({ stderr: "", left: [] });
  return ReviewOutput.parse(JSON.parse(run.stdout));
}

/** Everything of the user's that a review has no business to change. */
function state(repo: TestRepo) {
  const index = createHash("sha256")
    .update(readFileSync(join(repo.dir, ".git", "index")))
    .digest("hex");
  return {
    index,
    status: repo.git("status", "--porcelain=v2", "--ignored", "--branch"),
    refs: repo.git("for-each-ref"),
    stash: repo.git("stash", "list"),
  };
}

describe.for([
  { flag: "--staged", files: ["src/staged.ts"] },
  { flag: "--worktree", files: ["src/cart.ts", "src/staged.ts", "src/untracked.ts"] },
])("$flag", ({ flag, files }) => {
  test.concurrent("judges just its own files, bound to a tree", async () => {
    using repo = busyRepo();
    const output = await reviewed(repo, flag);
    expect(output.coverage).toEqual({ reviewed: files, skipped: [] });
    expect(output.base).toBe(repo.git("rev-parse", "HEAD"));
    expect(repo.git("cat-file", "-t", output.head)).toBe("tree");
    expect(repo.git("diff", "--name-only", output.base, output.head).split("\n")).toEqual(files);
  });

  test.concurrent("leaves the index, the files and the refs as they were", async () => {
    using repo = busyRepo();
    // The first status of git itself refreshes the index, so it comes before the comparison.
    repo.git("status");
    const before = state(repo);
    await reviewed(repo, flag);
    expect(state(repo)).toEqual(before);
    expect(readFileSync(join(repo.dir, "src/staged.ts"), "utf8")).toContain("2");
  });

  test.concurrent("fails on a flaw in it", async () => {
    using repo = busyRepo();
    repo.write({ "config/limits.json": "{" });
    repo.git("add", "config/limits.json");
    const run = await anneal(repo.dir, ["review", flag]);
    expect(run.code).toBe(1);
    expect(run.stdout).toContain("config/limits.json:1");
  });

  test.concurrent("can start from another base", async () => {
    using repo = busyRepo();
    repo.git("stash", "--quiet", "--include-untracked");
    repo.git("switch", "--quiet", "--create", "topic");
    repo.commit({ "src/done.ts": "export const done = 1;\n" });
    repo.git("stash", "pop", "--quiet", "--index");
    const output = await reviewed(repo, flag, "--base", "main");
    expect(output.coverage.reviewed.toSorted()).toEqual([...files, "src/done.ts"].toSorted());
    expect(output.base).toBe(repo.git("rev-parse", "main"));
  });

  test.concurrent("works in a repository without commits", async () => {
    using repo = makeRepo();
    repo.write({ "src/a.ts": "export const a = 1;\n" });
    repo.git("add", "--all");
    const output = await reviewed(repo, flag);
    expect(output.coverage.reviewed).toEqual(["src/a.ts"]);
    expect(output.base).toBe("4b825dc642cb6eb9a060e54bf8d69288fbee4904");
  });

  test.concurrent("with nothing to judge exits 3 and does not pass anything", async () => {
    using repo = makeRepo(PROJECT);
    const run = await anneal(repo.dir, ["review", flag]);
    expect(run).toMatchObject({ code: 3, stdout: "" });
    expect(run.stderr).toMatch(/^anneal review: nothing to review.*\n$/);
  });
});

test.concurrent("--staged refuses an index with unresolved conflicts", async () => {
  using repo = makeRepo({ "a.txt": "one\n" });
  repo.git("switch", "--quiet", "--create", "left");
  repo.commit({ "a.txt": "left\n" });
  repo.git("switch", "--quiet", "main");
  repo.commit({ "a.txt": "right\n" });
  expect(() => repo.git("merge", "left")).toThrow();
  const run = await anneal(repo.dir, ["review", "--staged"]);
  expect(run).toMatchObject({ code: 2, stdout: "" });
  expect(run.stderr).toMatch(/^anneal review: .*conflicts in a\.txt.*\n$/);
});

test.concurrent("--worktree finds the markers of an unresolved conflict", async () => {
  using repo = makeRepo({ "a.ts": "export const a = 1;\n" });
  repo.git("switch", "--quiet", "--create", "left");
  repo.commit({ "a.ts": "export const a = 2;\n" });
  repo.git("switch", "--quiet", "main");
  repo.commit({ "a.ts": "export const a = 3;\n" });
  expect(() => repo.git("merge", "left")).toThrow();
  const output = await reviewed(repo, "--worktree");
  expect(output.findings).toMatchObject([{ rule: "conflict-marker", file: "a.ts", line: 1 }]);
});

test("--staged in a commit hook judges what that commit will hold, not the usual index", async () => {
  using repo = makeRepo({ "README.md": "hello\n", "y.py": "x = 1\n", "ok.py": "k = 1\n" });
  const bin = new URL("../../bin/anneal.js", import.meta.url).pathname;
  repo.write({ ".git/hooks/pre-commit": `#!/bin/sh\nexec "${process.execPath}" "${bin}" review --staged\n` });
  chmodSync(join(repo.dir, ".git/hooks/pre-commit"), 0o755);
  repo.write({ "ok.py": "k = 2\n", "y.py": "breakpoint()\n" });
  repo.git("add", "ok.py");
  // Only y.py becomes part of this commit, though ok.py is what is staged.
  expect(() => repo.git("commit", "-qm", "leak", "--", "y.py")).toThrow();
  expect(repo.git("log", "--format=%s")).toBe("first");
});
