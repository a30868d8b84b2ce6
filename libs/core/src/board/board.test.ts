import { ReviewLoopState, TicketStatus } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { STORY_STATUSES } from "../stories/status.ts";
import { bad, clean, Play } from "../testing/build.ts";
import { UNIT_STATUSES } from "../units/status.ts";
import { badgeOf, columnOf, needsPerson } from "./index.ts";

const TABLE = {
  "review-loop": {
    code_review: ["pending_self_review", "self_reviewing", "self_review_passed", "self_review_failed"],
    in_progress: ["refining", "addressing_feedback"],
    waiting_approval: ["pr_created", "awaiting_pr_feedback", "ready_for_human_review", "closed"],
    verified: ["approved"],
    completed: ["merged"],
  },
  ticket: {
    backlog: ["pending", "queued"],
    in_progress: ["executing", "validating", "needs_revision"],
    code_review: ["reviewing"],
    completed: ["completed"],
    waiting_approval: ["failed", "blocked"],
  },
  story: {
    backlog: ["pending"],
    in_progress: ["in-progress"],
    code_review: ["review"],
    completed: ["done", "skipped"],
    waiting_approval: ["blocked", "paused"],
  },
  unit: {
    backlog: ["pending"],
    in_progress: ["in_progress"],
    code_review: ["in_review"],
    waiting_approval: ["pr_open", "failed", "blocked"],
    verified: ["merging"],
    completed: ["complete"],
  },
} as const;

const WORDS = {
  "review-loop": ReviewLoopState.options,
  ticket: TicketStatus.options,
  story: STORY_STATUSES,
  unit: UNIT_STATUSES,
};

describe("the column of a state", () => {
  const kinds = Object.keys(TABLE) as (keyof typeof TABLE)[];
  const rows = kinds.flatMap((kind) =>
    Object.entries<readonly string[]>(TABLE[kind]).flatMap(([column, words]) =>
      words.map((word) => ({ kind, column, word })),
    ),
  );

  test.for(rows)("$kind: $word stands in $column", ({ kind, column, word }) => {
    expect(columnOf(kind, word)).toBe(column);
  });

  test.for(kinds)("every word of a %s has a column", (kind) => {
    const words: string[] = rows.filter((row) => row.kind === kind).map(({ word }) => word);
    expect(words.sort()).toEqual([...WORDS[kind]].sort());
  });

  test.for([
    { word: "completed", column: "completed" },
    { word: "Complete", column: "completed" },
    { word: "draft", column: "backlog" },
    { word: "constructor", column: "backlog" },
    { word: null, column: "backlog" },
    { word: undefined, column: "backlog" },
  ])("a story that says $word stands in $column", ({ word, column }) => {
    expect(columnOf("story", word)).toBe(column);
  });
});

describe("the badge of an item is the word of its seed", () => {
  const scored = () => new Play(POLICIES.scored).build();
  const pr = () => new Play(POLICIES["pull-request"]);
  test.for([
    { kind: "feature", policy: "gate", what: "is built", play: () => new Play(POLICIES.gate), badge: null },
    { kind: "feature", policy: "gate", what: "passed", play: () => scored().review(clean), badge: "approved" },
    { kind: "feature", policy: "pull-request", what: "is built", play: pr, badge: null },
    {
      kind: "feature",
      policy: "pull-request",
      what: "is in review",
      play: () => pr().build(),
      badge: "self_reviewing",
    },
    {
      kind: "feature",
      policy: "pull-request",
      what: "has a pull request that was closed",
      play: () => pr().build().review(clean).pr().feedback().feedback({ state: "closed" }),
      badge: "closed",
    },
    { kind: "ticket", policy: "scored", what: "is built", play: () => new Play(POLICIES.scored), badge: "executing" },
    { kind: "ticket", policy: "scored", what: "is in review", play: scored, badge: "reviewing" },
    { kind: "ticket", policy: "scored", what: "is fixed", play: () => scored().review(bad()), badge: "needs_revision" },
    {
      kind: "ticket",
      policy: "scored",
      what: "waits while it is built",
      play: () => new Play(POLICIES.scored).signal("pause"),
      badge: "executing",
    },
    { kind: "ticket", policy: "scored", what: "passed", play: () => scored().review(clean), badge: "completed" },
    { kind: "story", policy: "adversarial", what: "is in review", play: scored, badge: "review" },
    { kind: "unit", policy: "advisory", what: "is in review", play: scored, badge: "in_review" },
    { kind: "branch", policy: "adversarial", what: "is in review", play: scored, badge: null },
  ] as const)("a $kind under $policy that $what: $badge", ({ kind, policy, play, badge }) => {
    expect(badgeOf(kind, POLICIES[policy], play().state)).toBe(badge);
  });
});

describe("who needs a person", () => {
  const loop = (stage: string, outcome: string | null = null) => ({ stage, outcome });
  test.for([
    { what: "a damaged file", column: "backlog", damaged: true, loop: null, needs: true },
    { what: "the backlog", column: "backlog", damaged: false, loop: null, needs: false },
    { what: "work", column: "in_progress", damaged: false, loop: loop("implementing"), needs: false },
    { what: "a question", column: "in_progress", damaged: false, loop: loop("waiting-for-human"), needs: true },
    { what: "a forge", column: "waiting_approval", damaged: false, loop: loop("awaiting-feedback"), needs: false },
    { what: "an approval without a loop", column: "waiting_approval", damaged: false, loop: null, needs: true },
    { what: "a lost feature", column: "in_progress", damaged: false, loop: loop("ended", "blocked"), needs: true },
    { what: "a lost ticket", column: "waiting_approval", damaged: false, loop: loop("ended", "failed"), needs: true },
    { what: "a lost feature put back", column: "backlog", damaged: false, loop: loop("ended", "failed"), needs: false },
    {
      what: "a closed pull request",
      column: "waiting_approval",
      damaged: false,
      loop: loop("ended", "closed"),
      needs: true,
    },
    { what: "something done", column: "verified", damaged: false, loop: loop("ended", "passed"), needs: false },
  ])("$what in $column: $needs", ({ needs, what: _, ...standing }) => {
    expect(needsPerson(standing)).toBe(needs);
  });
});
