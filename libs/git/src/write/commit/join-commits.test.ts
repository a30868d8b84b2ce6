import { describe, expect, test } from "vitest";
import { openRepo } from "../../index.ts";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";

const request = {
  message: "for c to build on",
  author: { name: "Loop", email: "loop@example.com" },
  date: "1700000000 +0000",
};

/** Branches that start at main, each with one file. */
function branches(files: Record<string, Record<string, string>>): TestRepo {
  const repo = makeRepo({ keep: "k\n" });
  for (const [branch, content] of Object.entries(files)) {
    repo.git("checkout", "-q", "-b", branch, "main");
    repo.commit(content, `on ${branch}`);
  }
  repo.git("checkout", "-q", "main");
  return repo;
}

describe("joined commits", () => {
  test("hold everything, are the same each time, and move nothing", async () => {
    using repo = branches({ a: { a: "a\n" }, b: { b: "b\n" }, c: { c: "c\n" } });
    const opened = await openRepo(repo.dir);
    const before = await opened.snapshot();
    const joined = await opened.joinCommits({ ...request, commits: ["a", "b", "c"] });
    expect(await opened.joinCommits({ ...request, commits: ["a", "b", "c"] })).toEqual(joined);
    expect(await opened.sameAs(before)).toEqual([]);
    expect(repo.git("ls-tree", "--name-only", joined.commit).split("\n")).toEqual(["a", "b", "c", "keep"]);
    expect(repo.git("log", "--first-parent", "--format=%s", joined.commit).split("\n")).toEqual([
      "for c to build on",
      "for c to build on",
      "on a",
      "first",
    ]);
  });

  test("one that another holds already needs no merge", async () => {
    using repo = branches({ a: { a: "a\n" } });
    const opened = await openRepo(repo.dir);
    const { commit } = await opened.joinCommits({ ...request, commits: ["main", "a", "main"] });
    expect(commit).toBe(repo.git("rev-parse", "a"));
  });

  test("a conflict names its files and the commit that does not fit", async () => {
    using repo = branches({ a: { both: "a\n" }, b: { both: "b\n" } });
    const opened = await openRepo(repo.dir);
    expect(await opened.joinCommits({ ...request, commits: ["a", "b"] })).toEqual({
      commit: repo.git("rev-parse", "b"),
      conflicts: ["both"],
    });
  });
});
