import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeRepo, type TestRepo } from "../testing/make-repo.ts";
import { indexTraits } from "./index-file.ts";

const long = `deep/${"n".repeat(200)}`;
const start = { a: "1\n", "src/b": "b\n", [long]: "l\n", [`${"x/".repeat(2_100)}y`.slice(-1_000)]: "y\n" };
const plain = { submodules: false, conflicts: false, hidden: false };

function traits(repo: TestRepo) {
  const gitDir = join(repo.dir, ".git");
  const clock = { now: () => 0, sleep: async () => {} };
  return indexTraits({ root: repo.dir, gitDir, commonDir: gitDir, clock });
}

function merging(repo: TestRepo): void {
  repo.git("checkout", "-q", "-b", "side");
  repo.commit({ a: "side\n" });
  repo.git("checkout", "-q", "main");
  repo.commit({ a: "main\n" });
  expect(() => repo.git("merge", "side")).toThrow();
}

function staging(...args: string[]): (repo: TestRepo) => void {
  return (repo) => {
    repo.write({ c: "c" });
    repo.git("add", ...args, "c");
  };
}

const CASES: { what: string; act: (repo: TestRepo) => void; seen: object }[] = [
  { what: "plain files", act: () => {}, seen: {} },
  { what: "a staged file", act: staging(), seen: {} },
  { what: "a file that is to be added", act: staging("--intent-to-add"), seen: {} },
  { what: "a file assumed unchanged", act: telling("--assume-unchanged", "src/b"), seen: { hidden: true } },
  { what: "a file left out", act: telling("--skip-worktree", "src/b"), seen: { hidden: true } },
  {
    what: "a submodule",
    act: telling("--add", "--cacheinfo", `160000,${"1".repeat(40)},sub`),
    seen: { submodules: true },
  },
  { what: "conflicts", act: merging, seen: { conflicts: true } },
];

function telling(...args: string[]): (repo: TestRepo) => void {
  return (repo) => void repo.git("update-index", ...args);
}

describe("an index, read without git", () => {
  test.for([2, 3, 4])("of version %i shows what is in it", async (version) => {
    using repo = makeRepo(start);
    repo.git("config", "index.version", String(version));
    for (const { what, act, seen } of CASES) {
      repo.write({ ".git/index": null });
      repo.git("reset", "-q", "--hard");
      act(repo);
      expect([what, await traits(repo)]).toEqual([what, { ...plain, ...seen }]);
    }
  });

  test.for<{ what: string; act: (repo: TestRepo) => void }>([
    { what: "split", act: (repo) => repo.git("update-index", "--split-index") },
    { what: "sparse", act: (repo) => repo.git("sparse-checkout", "set", "--cone", "--sparse-index", "src") },
    { what: "in another hash", act: (repo) => repo.git("config", "extensions.objectFormat", "sha1") },
    { what: "cut short", act: (repo) => cut(repo, 300) },
    { what: "longer than it says", act: (repo) => appendFileSync(join(repo.dir, ".git/index"), "more") },
    { what: "not there", act: (repo) => repo.write({ ".git/index": null }) },
    { what: "empty", act: (repo) => cut(repo, 0) },
    { what: "something else", act: (repo) => writeFileSync(join(repo.dir, ".git/index"), "x".repeat(1_000)) },
  ])("that is $what is a question for git", async ({ act }) => {
    using repo = makeRepo(start);
    expect(await traits(repo)).toEqual(plain);
    act(repo);
    expect(await traits(repo)).toBeNull();
  });

  function cut(repo: TestRepo, bytes: number): void {
    const path = join(repo.dir, ".git/index");
    writeFileSync(path, readFileSync(path).subarray(0, bytes));
  }
});
