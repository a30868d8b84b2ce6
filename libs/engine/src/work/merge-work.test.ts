import { GitError, type Repo } from "@anneal/git";
import type { LoopState, MergePlan } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { type MergeWorkArgs, mergeInto } from "./merge-work.ts";

type Merging = Extract<LoopState, { stage: "merging" }>;

const plan = (merged: string): MergePlan => ({
  branch: "refs/heads/topic",
  parent: "p0",
  merged,
  by: "commit",
  tree: "t",
  message: "m",
  author: { name: "a", email: "a@example.com" },
  date: "0 +0000",
});
const state = (head: string, merge: MergePlan | null): Merging =>
  ({ stage: "merging", base: "b0", head, merge }) as Merging;
const never = new AbortController().signal;

/** The merging stage over a repository that only remembers what was done to it. */
function merging(over: Partial<MergeWorkArgs> = {}, repo: Partial<Repo> = {}) {
  const done: string[] = [];
  const main = {
    commonDir: `/repo-${Math.random()}`,
    resolve: async () => "tip",
    mergeBase: async (one: string) => one,
    mergePlan: async ({ commit }: { commit: string }) => ({ plan: plan(commit) }),
    carryOutMerge: async ({ merged }: MergePlan) => {
      done.push(merged);
      return { commit: `merge of ${merged}` };
    },
    ...repo,
  } as Repo;
  const clock = { now: () => 1, sleep: async () => {} };
  return {
    done,
    merge: mergeInto({ main, into: "topic", message: () => "m", next: "anneal retry x", clock, ...over }),
  };
}

describe("merging into a branch", () => {
  test("the next merge waits until the one before it was looked at", async () => {
    const looks = new Map(["one", "two"].map((head) => [head, Promise.withResolvers<void>()]));
    const { done, merge } = merging({
      validate: async ({ head }) => {
        await looks.get(head)?.promise;
        return { result: "passed", findings: [] };
      },
    });
    const one = merge(state("one", plan("one")), never, 1);
    const two = merge(state("two", plan("two")), never, 1);
    looks.get("two")?.resolve();
    await new Promise(setImmediate);
    expect(done).toEqual(["one"]);
    looks.get("one")?.resolve();
    expect([await one, await two]).toMatchObject([{ commit: "merge of one" }, { commit: "merge of two" }]);
    expect(done).toEqual(["one", "two"]);
  });

  test("a merge that breaks does not hold up the next", async () => {
    const { merge } = merging({}, { carryOutMerge: async () => Promise.reject(new Error("full disk")) });
    const broken = merge(state("one", plan("one")), never, 1);
    const next = merge(state("two", null), never, 1);
    await expect(broken).rejects.toThrow("full disk");
    expect(await next).toMatchObject({ type: "merge-prepared" });
  });

  test("a tree that cannot be looked at is reported as failed, and the merge stands", async () => {
    const { merge } = merging({ validate: async () => Promise.reject(new Error("npm ci fails")) });
    expect(await merge(state("one", plan("one")), never, 1)).toMatchObject({
      type: "merged",
      commit: "merge of one",
      checks: { result: "failed", findings: [{ description: "npm ci fails" }] },
    });
  });

  test("one that is called off says nothing about the tree", async () => {
    const off = new AbortController();
    const { merge } = merging({
      validate: async () => {
        off.abort();
        throw new Error("stopped");
      },
    });
    await expect(merge(state("one", plan("one")), off.signal, 1)).rejects.toThrow("stopped");
    await expect(merge(state("one", null), off.signal, 1)).rejects.toThrow();
  });

  test("into one that does not hold any more where the work began is refused with both ways on", async () => {
    const { merge, done } = merging({}, { mergeBase: async () => "below" });
    const ways =
      "git merge b0 there restores it, and git merge -s ours b0 confirms that it stays out; then anneal retry x";
    await expect(merge(state("one", null), never, 1)).rejects.toThrow(
      `topic does not contain b0 any more, where this work started: ${ways}`,
    );
    expect(done).toEqual([]);
  });

  test.for([
    { what: "decided anew", planned: { plan: plan("one") }, type: "merge-prepared" },
    { what: "in conflict", planned: { conflicts: ["a"] }, type: "merge-conflicted" },
    { what: "done by somebody", planned: "already" as const, type: "merged" },
  ])("where the branch has moved, the merge is $what", async ({ planned, type }) => {
    const carryOutMerge = async () => Promise.reject(new GitError("moved", "elsewhere"));
    const { merge } = merging({}, { mergePlan: async () => planned, carryOutMerge });
    expect(await merge(state("one", plan("one")), never, 1)).toMatchObject({ type });
  });
});
