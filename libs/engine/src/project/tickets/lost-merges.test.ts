import { GitError, type Repo } from "@anneal/adapters/git";
import type { ChangedFile } from "@anneal/types";
import { expect, test, vi } from "vitest";
import { askedText, lostMerges } from "./lost-merges.ts";

const MERGED = {
  commits: new Set(["c1"]),
  listed: new Set(["c1", "c2"]),
  made: [],
  since: new Map(),
  head: "whole",
  isWhole: true,
};

const unknown = () => Promise.reject(new GitError("unknown-ref", "gone"));

test.for<{ what: string; repo: Partial<Repo>; lost: string[] | "gone" }>([
  { what: "holds it", repo: { mergeBase: async () => "c1" }, lost: [] },
  { what: "was put back before it", repo: {}, lost: ["c1"] },
  { what: "holds a squash of it", repo: { mergeTrees: async () => "tree of tip" }, lost: [] },
  {
    what: "held a squash of it before",
    repo: { mergeTrees: async (ours) => `tree of ${ours.replace("tip", "?")}` },
    lost: [],
  },
  { what: "conflicts with it", repo: { mergeTrees: async () => ({ conflicts: ["a"] }) }, lost: ["c1"] },
  { what: "has it in another form", repo: { touches: async () => true }, lost: [] },
  {
    what: "was put back before it and then took another ticket with the same files in",
    repo: { touches: async () => true, mergeBase: async (a) => (a === "c2" ? "c2" : "base") },
    lost: ["c1"],
  },
  {
    what: "holds all that was merged, in one",
    repo: { mergeTrees: async (ours, theirs) => (theirs === "whole" ? `tree of ${ours}` : "another tree") },
    lost: [],
  },
  { what: "has another history", repo: { mergeBase: unknown }, lost: ["c1"] },
  { what: "is gone", repo: { resolve: unknown }, lost: "gone" },
])("a merge into a branch that $what", async ({ repo, lost }) => {
  const mergeBase = vi.fn(repo.mergeBase ?? (async () => "base"));
  const given: Partial<Repo> = {
    resolve: async () => "tip",
    mergeTrees: async () => "another tree",
    commitsSince: async () => ["earlier"],
    treeOf: async (commit) => `tree of ${commit}`,
    touches: async () => false,
    historySince: async () => [],
    async *changedFiles() {
      yield { path: "a" } as ChangedFile;
    },
    ...repo,
    mergeBase,
  };
  const lostIn = lostMerges(given as Repo, { merged: () => MERGED });
  const found = async () => {
    const answer = await lostIn("limits");
    return answer === "gone" ? answer : [...answer.commits];
  };
  expect(await found()).toEqual(lost);
  const looks = mergeBase.mock.calls.length;
  expect(await found()).toEqual(lost);
  expect(mergeBase, "a branch that has not moved is not looked at again").toHaveBeenCalledTimes(looks);
});

const own = (id: string, isMerge = false) => ({ id, parent: null, isMerge, message: "" });

test.for<{ what: string; since: ReturnType<typeof own>[]; by: "reset" | "hand" }>([
  { what: "nothing", since: [], by: "reset" },
  { what: "other tickets and merges", since: [own("c2"), own("m", true)], by: "reset" },
  { what: "a commit of a person", since: [own("c2"), own("polish")], by: "hand" },
])("what a branch with $what since is missing was lost by $by", async ({ since, by }) => {
  const repo: Partial<Repo> = {
    resolve: async () => "tip",
    mergeBase: async (a, b) => (a === b ? a : "base"),
    mergeTrees: async () => "another tree",
    commitsSince: async () => [],
    treeOf: async (commit) => `tree of ${commit}`,
    touches: async () => false,
    historySince: async () => since,
    async *changedFiles() {
      yield { path: "a" } as ChangedFile;
    },
  };
  expect(await lostMerges(repo as Repo, { merged: () => ({ ...MERGED, head: "m1" }) })("limits")).toEqual({
    commits: new Set(["c1"]),
    by,
  });
});

test("what may be missing is merged one by one: git makes no octopus of what conflicts or has nothing in common", () => {
  const ways =
    "there, git merge --x ticket/a && git merge --x ticket/b brings it back, and git merge --x -s ours ticket/a";
  expect(askedText(["a", "b"], "epic/limits", "git merge --x")).toContain(ways);
});

test("only what was merged after the last merge that the branch has can be lost, and only its own files tell", async () => {
  const looked: unknown[] = [];
  const repo: Partial<Repo> = {
    resolve: async () => "tip",
    mergeBase: async (a) => (a === "m1" ? "m1" : "base"),
    mergeTrees: async () => "another tree",
    commitsSince: async () => [],
    treeOf: async (commit) => `tree of ${commit}`,
    touches: async () => false,
    historySince: async () => [],
    async *changedFiles(bounds) {
      looked.push(bounds);
      yield { path: "a" } as ChangedFile;
    },
  };
  const made = ["1", "2"].map((n) => ({ id: n, commit: `c${n}`, head: `m${n}` }));
  const merged = { ...MERGED, commits: new Set(["c1", "c2"]), made, since: new Map([["c2", "c1"]]), head: "m2" };
  expect(await lostMerges(repo as Repo, { merged: () => merged })("limits")).toEqual({
    commits: new Set(["c2"]),
    by: "reset",
  });
  expect(looked).toEqual([{ base: "c1", head: "c2", headKind: "commit" }]);
});

test("a branch that was put back has lost all that was merged on top, whatever else has touched the same files", async () => {
  const repo: Partial<Repo> = {
    resolve: async () => "squash",
    mergeBase: async (a, b) => (a === "squash" && ["m2", "m3"].includes(b) ? "squash" : "base"),
    mergeTrees: async () => "another tree",
    commitsSince: async () => [],
    treeOf: async (commit) => `tree of ${commit}`,
    touches: async () => true,
  };
  const made = ["1", "2", "3"].map((n) => ({ id: n, commit: `c${n}`, head: `m${n}` }));
  const merged = { ...MERGED, commits: new Set(["c1", "c2", "c3"]), made, head: "m3" };
  expect(await lostMerges(repo as Repo, { merged: () => merged })("limits")).toEqual({
    commits: new Set(["c2", "c3"]),
    by: "reset",
  });
});
