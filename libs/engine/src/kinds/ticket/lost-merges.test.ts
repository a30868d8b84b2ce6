import { GitError, type Repo } from "@anneal/git";
import { expect, test, vi } from "vitest";
import { lostMerges } from "./lost-merges.ts";

const MERGED = { commits: new Set(["c1", "c2"]), head: "m2", isWhole: true };

/** `m1` took `c1` in, and `m2` took `c2` in; `tip` is where the branch is now. */
const PARENTS: Record<string, string[]> = {
  m2: ["m1", "c2"],
  m1: ["base", "c1"],
  c1: ["base"],
  c2: ["base"],
  base: [],
};

const holds = (commit: string, at: string, tip: string[]): boolean =>
  commit === at || (at === "tip" ? tip : (PARENTS[at] ?? [])).some((one) => holds(commit, one, tip));

test.for<{ what: string; tip: string[] | null; lost: string[] | "gone"; by?: "reset" | "hand" }>([
  { what: "has gone on", tip: ["m2"], lost: [] },
  { what: "was put back before the last merge", tip: ["m1"], lost: ["c2"], by: "hand" },
  { what: "was put back and took one of them in by hand", tip: ["base", "c2"], lost: ["c1"], by: "hand" },
  { what: "was rewritten, as by a squash", tip: ["base"], lost: ["c1", "c2"], by: "hand" },
  { what: "was rewritten, and says that all is in it", tip: ["base", "c1", "c2"], lost: [] },
  { what: "is gone", tip: null, lost: "gone" },
])("a branch that $what has lost $lost", async ({ tip, lost, by = "reset" }) => {
  const mergeBase = vi.fn(async (a: string, b: string) => (tip !== null && holds(a, b, tip) ? a : "elsewhere"));
  const resolve = () => (tip === null ? Promise.reject(new GitError("unknown-ref", "gone")) : Promise.resolve("tip"));
  const lostIn = lostMerges({ resolve, mergeBase } as Partial<Repo> as Repo, { merged: () => MERGED });
  const expected = lost === "gone" ? lost : { commits: new Set(lost), by };
  expect(await lostIn("limits")).toEqual(expected);
  const looks = mergeBase.mock.calls.length;
  expect(await lostIn("limits")).toEqual(expected);
  expect(mergeBase, "a branch that has not moved is not looked at again").toHaveBeenCalledTimes(looks);
});

test("a branch that is just put back to where it was is merged into again, without a question", async () => {
  const mergeBase = async (a: string, b: string) => (holds(a, b, []) ? a : "elsewhere");
  const repo: Partial<Repo> = { resolve: async () => "m1", mergeBase };
  const lostIn = lostMerges(repo as Repo, { merged: () => MERGED });
  expect(await lostIn("limits")).toEqual({ commits: new Set(["c2"]), by: "reset" });
});
