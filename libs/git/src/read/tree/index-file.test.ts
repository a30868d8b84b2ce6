import { appendFileSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RepoLocation } from "../../run/repo-location.ts";
import { makeRepo, type TestRepo } from "../../testing/make-repo.ts";
import { indexDigest, indexTraits } from "./index-file.ts";

const long = `deep/${"n".repeat(200)}`;
const start = { a: "1\n", "src/b": "b\n", [long]: "l\n", [`${"x/".repeat(2_100)}y`.slice(-1_000)]: "y\n" };
const plain = { submodules: false, conflicts: false, hidden: false };

function placeOf({ dir }: TestRepo): RepoLocation {
  const gitDir = join(dir, ".git");
  return { root: dir, gitDir, commonDir: gitDir, clock: { now: () => 0, sleep: async () => {} } };
}

const traits = (repo: TestRepo) => indexTraits(placeOf(repo));
const digest = (repo: TestRepo) => indexDigest(placeOf(repo));

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
  test.for([2, 3, 4])("of version %i shows what is in it", (version) => {
    using repo = makeRepo(start);
    repo.git("config", "index.version", String(version));
    for (const { what, act, seen } of CASES) {
      repo.write({ ".git/index": null });
      repo.git("reset", "-q", "--hard");
      act(repo);
      expect([what, traits(repo)]).toEqual([what, { ...plain, ...seen }]);
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
  ])("that is $what is a question for git", ({ act }) => {
    using repo = makeRepo(start);
    expect(traits(repo)).toEqual(plain);
    act(repo);
    expect([traits(repo), digest(repo)]).toEqual([null, null]);
  });

  test("has another fingerprint whenever something else is staged, and the same one whenever it is not", () => {
    using repo = makeRepo(start);
    const seen = new Set([digest(repo)]);
    for (const { act } of CASES.slice(1)) {
      repo.write({ ".git/index": null });
      repo.git("reset", "-q", "--hard");
      expect(seen).toContain(digest(repo));
      utimesSync(join(repo.dir, "a"), 1, 1);
      repo.git("update-index", "--refresh");
      expect(seen).toContain(digest(repo));
      act(repo);
      expect(seen).not.toContain(digest(repo));
      seen.add(digest(repo));
    }
    expect(seen).not.toContain(null);
  });

  function cut(repo: TestRepo, bytes: number): void {
    const path = join(repo.dir, ".git/index");
    writeFileSync(path, readFileSync(path).subarray(0, bytes));
  }
});
