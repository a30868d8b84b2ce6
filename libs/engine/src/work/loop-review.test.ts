import type { ReviewAnswer, Reviewer } from "@anneal/adapters";
import { POLICIES } from "@anneal/core";
import { openRepo } from "@anneal/git";
import type { LoopState } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { Play } from "../../../core/src/testing/build.ts";
import { makeRepo } from "../../../git/src/testing/make-repo.ts";
import { AgentFailed } from "../errors/errors.ts";
import { reviewRound } from "./loop-review.ts";
import type { LoopWorkArgs } from "./loop-work.ts";

/** A review of a change of one line by a reviewer that answers like this. */
async function reviewedBy(
  reviewer: Pick<Reviewer, "name" | "review">,
  signal = new AbortController().signal,
  fix: "none" | "taken-back" = "none",
) {
  using repo = makeRepo({ "a.txt": "1\n" });
  const base = repo.git("rev-parse", "HEAD");
  const first = repo.commit({ "a.txt": "2\n" });
  const head = fix === "none" ? first : repo.commit({ "a.txt": "1\n" });
  const blobs: string[] = [];
  const args: Partial<LoopWorkArgs> = {
    policy: POLICIES.gate,
    repo: await openRepo(repo.dir),
    workItem: { title: "T", description: "D" },
    players: {
      implementer: { name: "nobody", implement: () => Promise.reject(new Error("nothing to implement")) },
      reviewer: () => ({ requirements: "judged", ...reviewer }),
      fixer: { name: "nobody", fix: () => Promise.reject(new Error("nothing to fix")) },
    },
    blobs: { put: (content) => `blob-${blobs.push(content.toString())}`, getText: () => "" },
    clock: { now: () => 7, sleep: async () => {} },
  };
  const { state } = new Play(POLICIES.gate).build();
  const rounds = fix === "none" ? [] : [{ head: first }];
  const reviewing = { ...state, base, head, rounds } as unknown as Extract<LoopState, { stage: "reviewing" }>;
  return { event: await reviewRound(args as LoopWorkArgs, reviewing, signal, 1), blobs };
}

const PATCH =
  "diff --git a/a.txt b/a.txt\nindex d00491f..0cfbf08 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+2\n";

test("a reviewer that cannot answer at all leaves who it was, what it was shown and what it used", async () => {
  const gone = new AgentFailed("no network", { usage: { inputTokens: 5 } });
  const { event, blobs } = await reviewedBy({ name: "codex", review: () => Promise.reject(gone) });
  expect(blobs).toEqual([PATCH]);
  expect(event).toEqual({
    type: "broke",
    at: 7,
    stage: "reviewing",
    reason: "no network",
    usage: { inputTokens: 5 },
    review: { by: { agent: "codex", model: null, provider: "openai" }, diff: "blob-1" },
  });
});

test("one that a person stopped says nothing", async () => {
  const stopped = AbortSignal.abort();
  const review = () => Promise.reject(new Error("stopped"));
  await expect(reviewedBy({ name: "codex", review }, stopped)).rejects.toThrow("stopped");
});

test.for([
  { what: "is known by the model that played", agent: "cursor", provider: "anthropic" },
  { what: "is none but the script, where that names a model", agent: "scripted", provider: "scripted" },
  { what: "is none but the recording, where that names one", agent: "replay", provider: "replay" },
])("the provider $what", async ({ agent, provider }) => {
  const report = { status: "inconclusive", reason: "no decision" } as const;
  const model = "claude-opus-4-5-20251101";
  const answer = { report, coverage: { reviewed: [], skipped: [] }, usage: {}, model };
  const { event } = await reviewedBy({ name: agent, review: async () => answer });
  expect(event).toMatchObject({ type: "reviewed", by: { agent, model, provider }, diff: "blob-1" });
});

describe("what asking again cannot mend is not asked again", () => {
  const report = { status: "complete", claim: "pass", findings: [], summary: "Fine.", scores: null } as const;
  const logo = { file: "logo.png", reason: "binary" } as const;
  test.for([
    {
      what: "an agent that says so",
      answer: { report: { status: "inconclusive", reason: "not signed in" }, lasting: true },
      coverage: { reviewed: ["a.txt"], skipped: [] },
      reason: "not signed in",
    },
    {
      what: "a change of which nothing can be read",
      answer: { report },
      coverage: { reviewed: [], skipped: [logo] },
      reason: "no file of this change could be read, so nothing was reviewed",
    },
    {
      what: "commits that come to no change",
      answer: { report },
      coverage: { reviewed: [], skipped: [] },
      // What else a person may say differs by policy; to stop is always legal.
      reason: expect.stringMatching(
        /^nothing to review: the commits of the branch change nothing,(?!.*take-over).*; end the loop with stop/,
      ),
    },
  ])("$what", async ({ answer, coverage, reason }) => {
    const review = async () => ({ coverage, usage: {}, ...answer }) as unknown as ReviewAnswer;
    const { event } = await reviewedBy({ name: "scripted", review });
    expect(event).toMatchObject({ type: "broke", reason, lasting: true });
  });
});

test("nobody is asked about a change that a fix has taken back", async () => {
  const review = () => Promise.reject(new Error("was asked"));
  const { event } = await reviewedBy({ name: "codex", review }, undefined, "taken-back");
  expect(event).toMatchObject({
    type: "broke",
    reason: expect.stringContaining("its commits change nothing"),
    lasting: true,
  });
});
