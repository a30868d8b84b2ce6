import { z } from "zod";
import { ModelName } from "./model-name.ts";
import { Severity } from "./review/finding.ts";

/** A person's word to a loop. */
export const SignalName = z.enum([
  "skip",
  "retry",
  "refine",
  "ready",
  "approve",
  "accept",
  "take-over",
  "one-more",
  "pause",
  "resume",
  "stop",
]);
export type SignalName = z.infer<typeof SignalName>;

/** How a loop can end. Only `passed` says that the current head earned it. */
export const Outcome = z.enum(["passed", "merged", "accepted", "blocked", "failed", "stopped", "closed"]);
export type Outcome = z.infer<typeof Outcome>;

/** Where a loop goes when something is over: to the end, to a person, or on to delivery. */
export const Exit = z.discriminatedUnion("to", [
  // Only people close a pull request.
  z.strictObject({ to: z.literal("ended"), outcome: Outcome.exclude(["closed"]) }),
  z.strictObject({ to: z.literal("waiting-for-human"), options: z.array(SignalName).min(1) }),
  z.strictObject({ to: z.literal("opening-pr") }),
  z.strictObject({ to: z.literal("merging") }),
]);
export type Exit = z.infer<typeof Exit>;

/** How a reviewer answers: which reader turns its text into a report. */
export const Contract = z.enum(["decision-text", "verdict-json", "scorecard-json", "findings-document", "issue-lines"]);
export type Contract = z.infer<typeof Contract>;

/** What a reviewer may be shown. */
export const ReviewerSees = z.enum([
  "work-item",
  "spec",
  "round-diff",
  "whole-diff",
  "earlier-findings",
  "project-context",
  "epic-coordination",
  "validation-result",
  "previous-feedback",
]);
export type ReviewerSees = z.infer<typeof ReviewerSees>;

/** What a fixer is handed. */
export const FixerGets = z.enum([
  "all-reviews",
  "previous-agent-output",
  "open-findings",
  "issues-by-severity",
  "revision-context",
  "findings-document",
  "issues",
]);
export type FixerGets = z.infer<typeof FixerGets>;

/** Scores that a passing scorecard needs, and how they weigh in the overall score. */
export const ScoreRule = z.strictObject({
  dimensions: z
    .record(
      z.string(),
      z.strictObject({ weight: z.number().positive(), atLeast: z.number().min(0).max(100).optional() }),
    )
    .refine((dimensions) => Object.keys(dimensions).length > 0, "a scorecard needs at least one dimension"),
  overallAtLeast: z.number().min(0).max(100),
});
export type ScoreRule = z.infer<typeof ScoreRule>;

/** When a report passes. All five seeds' rules are values of this one shape. */
export const PassRule = z.strictObject({
  /** Findings of this severity or worse block. */
  blocksAt: Severity,
  /** Whether the reviewer has to state a decision of its own. */
  claim: z.enum(["required", "optional"]),
  scorecard: ScoreRule.optional(),
  /** Whether the reviewer has to judge the requirements; if it did not, a person approves. */
  requirements: z.enum(["judged", "not-needed"]),
  /** Whether a rejection counts that rests only on findings below `blocksAt`. */
  mildRejection: z.enum(["blocks", "passes"]).default("blocks"),
  /** Whether earlier findings whose code still stands keep blocking, or only the current report counts. */
  earlierFindings: z.enum(["carried", "fresh"]),
});
export type PassRule = z.infer<typeof PassRule>;

/** Limits that end at a decision; a missing cap is no cap. */
export const Caps = z.strictObject({
  wallMs: z.int().positive().optional(),
  tokens: z.int().positive().optional(),
  costUsd: z.number().positive().optional(),
});
export type Caps = z.infer<typeof Caps>;

/** What the settings allow: to one loop, and to all loops of the project together on one day. A misspelt cap would be none, so only these keys are taken. */
export const Budgets = Caps.extend({
  /** By calendar day in the machine's time zone. */
  perDay: Caps.optional(),
});
export type Budgets = z.infer<typeof Budgets>;

/** Work that nobody has reviewed may be merged where the policy says so, or opened as a draft that only a person moves on. */
const DELIVERS: ReadonlySet<Exit["to"]> = new Set(["merging", "opening-pr"]);

/** One way to run a review loop, as data. Users write their own in settings. */
export const Policy = z
  .strictObject({
    name: z.string().regex(/^[a-z][a-z0-9-]{0,40}$/, "a policy name consists of lower-case letters, digits and dashes"),
    title: z.string(),
    workItem: z.enum(["feature", "ticket", "story", "unit"]),
    limits: z.strictObject({
      /** Reviews and fixes per cycle: both hold, so either reading of a seed's limit is met. */
      /** None at all only where the work is delivered without one. */
      reviews: z.int().min(0).max(50),
      fixes: z.int().min(0).max(50),
      /** Reviews in the whole loop, whatever a person adds; absent where resuming opens a new cycle. */
      hardReviews: z.int().min(1).max(50).optional(),
      /** Repairs in a row after a failing validation or commit hook, before a person is asked. */
      repairs: z.int().min(0).max(20),
      /** Retries of a review or another step that broke; they never count as rounds. */
      retries: z.int().min(0).max(20),
      retryBackoffMs: z.int().min(0),
      /** Times that feedback on a pull request is addressed before a person is asked. */
      feedback: z.int().min(0).max(50),
    }),
    reviewer: z.strictObject({
      contract: Contract,
      sees: z.array(ReviewerSees).min(1),
      model: ModelName.optional(),
      timeoutMs: z.int().positive(),
      /** Where several review at once: how many have to come to a report; without it all of them. */
      ensemble: z.strictObject({ quorum: z.int().min(1).max(20).optional() }).optional(),
      /** A second agent that has to confirm each finding before it blocks; without it every finding counts. */
      verification: z
        .strictObject({
          by: z.string().min(1),
          model: ModelName.optional(),
          timeoutMs: z.int().positive().optional(),
        })
        .optional(),
    }),
    pass: PassRule,
    fixer: z.strictObject({ gets: z.array(FixerGets).min(1) }),
    exits: z.strictObject({
      passed: Exit,
      roundsRunOut: Exit,
      /** A review or another step broke, and its retries are used up. */
      broke: Exit,
      validationFailed: Exit,
      capped: Exit,
    }),
    /** What follows an opened pull request. */
    afterPr: z.enum(["await-feedback", "end"]),
    push: z.enum(["never", "with-pr"]),
    /** Whether a person may skip the review: then the pull request is a draft marked NOT REVIEWED. */
    skip: z.enum(["refused", "draft-pr"]),
    caps: Caps,
  })
  .refine((p) => p.limits.hardReviews === undefined || p.limits.hardReviews >= p.limits.reviews, {
    path: ["limits", "hardReviews"],
    message: "hardReviews cannot be below reviews",
  })
  .refine((p) => p.limits.reviews > 0 || DELIVERS.has(p.exits.roundsRunOut.to), {
    path: ["limits", "reviews"],
    message: "at least 1, unless the exit roundsRunOut is merging or opening-pr",
  })
  .refine((p) => p.push === "with-pr" || !opensPr(p), {
    path: ["push"],
    message: "a policy that opens pull requests pushes: with-pr",
  })
  .refine((p) => Object.entries(p.exits).every(([name, exit]) => name === "passed" || mayEnd(exit)), {
    path: ["exits"],
    message:
      "only the exit `passed` can end as passed, merged or accepted; the others end as failed, blocked or stopped",
  });
export type Policy = z.infer<typeof Policy>;

function opensPr(policy: { exits: Record<string, Exit>; skip: string }): boolean {
  return policy.skip === "draft-pr" || Object.values(policy.exits).some((exit) => exit.to === "opening-pr");
}

/** Nothing but a pass may end as something that reads like one. */
function mayEnd(exit: Exit): boolean {
  return exit.to !== "ended" || exit.outcome === "failed" || exit.outcome === "blocked" || exit.outcome === "stopped";
}
