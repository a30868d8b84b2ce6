import { openRepo } from "@anneal/git";
import { describe, expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../git/src/testing/make-repo.ts";
import { outermost } from "./outermost.ts";
import { isMissing, isPartOf } from "./part-of.ts";

const squash = (repo: TestRepo) => repo.git("merge", "--quiet", "--squash", "work");

test.for<{ what: string; is: "missing" | "there"; does: (repo: TestRepo) => void }>([
  { what: "a branch that never took it in", is: "missing", does: (repo) => repo.commit({ other: "1\n" }) },
  { what: "one that has another plan of it", is: "missing", does: (repo) => repo.commit({ "plan/a.md": "done\n" }) },
  { what: "one that merged it", is: "there", does: (repo) => repo.git("merge", "--quiet", "--no-ff", "work") },
  {
    what: "one that merged it and took it back, which is its owner's word",
    is: "there",
    does: (repo) => {
      repo.git("merge", "--quiet", "--no-ff", "--no-edit", "work");
      repo.git("revert", "--no-edit", "-m", "1", "HEAD");
    },
  },
  {
    what: "a squash with other plans",
    is: "there",
    does: (repo) => {
      squash(repo);
      repo.commit({ "plan/a.md": "complete\n" });
    },
  },
  {
    what: "a squash that was changed before it was made",
    is: "there",
    does: (repo) => {
      squash(repo);
      repo.commit({ "src/a.js": "polished\n" });
    },
  },
  {
    what: "a squash whose files went with a later commit",
    is: "there",
    does: (repo) => {
      squash(repo);
      repo.commit({});
      repo.commit({ "src/a.js": null });
    },
  },
])("of a commit in $what, it is $is", async ({ does, is }) => {
  using repo = makeRepo({ "src/index.js": "1\n" });
  repo.git("checkout", "--quiet", "-b", "work");
  const commit = repo.commit({ "src/a.js": "made\n", "plan/a.md": "pending\n" });
  repo.git("checkout", "--quiet", "main");
  does(repo);
  const missing = await isMissing(await openRepo(repo.dir), commit, "refs/heads/main", {
    isIgnored: (path) => path.startsWith("plan/"),
  });
  expect(missing).toBe(is === "missing");
});

describe("of two commits", () => {
  test.for([
    { what: "the first is below the second", commit: "main", history: "work", is: true, kept: ["work"] },
    { what: "the first is on top of the second", commit: "work", history: "main", is: false, kept: ["work"] },
    { what: "they are the same", commit: "work", history: "work", is: true, kept: ["work"] },
    { what: "each has its own on top", commit: "work", history: "beside", is: false, kept: ["work", "beside"] },
    { what: "their histories are unrelated", commit: "work", history: "alien", is: false, kept: ["work", "alien"] },
  ])("where $what: it is part of it: $is", async ({ commit, history, is, kept }) => {
    using dir = makeRepo({ "a.js": "1\n" });
    dir.git("checkout", "--quiet", "-b", "work");
    dir.commit({ "b.js": "1\n" });
    dir.git("checkout", "--quiet", "-b", "beside", "main");
    dir.commit({ "c.js": "1\n" });
    dir.git("checkout", "--quiet", "--orphan", "alien");
    dir.commit({ "d.js": "1\n" });
    const repo = await openRepo(dir.dir);
    const at = (branch: string) => dir.git("rev-parse", branch).trim();
    expect(await isPartOf(repo, at(commit), at(history))).toBe(is);
    const all = [commit, history].map((name) => ({ name, commit: at(name) }));
    expect((await outermost(repo, all)).map(({ name }) => name)).toEqual(kept);
  });
});
