import { GitError, type Repo } from "@anneal/adapters/git";
import type { ChangedFile } from "@anneal/types";
import { expect, test, vi } from "vitest";
import { lostMerges } from "./lost-merges.ts";

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
    async *changedFiles() {
      yield { path: "a" } as ChangedFile;
    },
    ...repo,
    mergeBase,
  };
  const lostIn = lostMerges(given as Repo, {
    merged: () => ({ commits: new Set(["c1"]), listed: new Set(["c1", "c2"]), head: "whole", isWhole: true }),
  });
  const found = async () => {
    const answer = await lostIn("limits");
    return answer === "gone" ? answer : [...answer];
  };
  expect(await found()).toEqual(lost);
  const looks = mergeBase.mock.calls.length;
  expect(await found()).toEqual(lost);
  expect(mergeBase, "a branch that has not moved is not looked at again").toHaveBeenCalledTimes(looks);
});
