import { z } from "zod";
import { PlayedBy } from "../loop/round.ts";
import { Finding, Severity } from "../review/finding.ts";
import { CompleteReport, Coverage, Usage, Verdict } from "../review/report.ts";

/** What the project's own checks said of a change before it was committed. */
export const ApiValidation = z.object({
  at: z.int(),
  result: z.enum(["passed", "failed", "not-configured", "commit-refused"]),
  findings: z.array(Finding),
});
export type ApiValidation = z.infer<typeof ApiValidation>;

/** One run of an implementer or fixer. */
export const ApiWork = z.object({
  role: z.enum(["implementer", "fixer"]),
  at: z.int(),
  by: PlayedBy,
  changed: z.boolean(),
  /** What it said at the end; null where nothing is on record. */
  said: z.string().nullable(),
  refutations: z.array(z.object({ fingerprint: z.string(), evidence: z.string() })),
  usage: Usage,
  /** The hash of its prompt. */
  promptHash: z.string().nullable(),
  /** The id of its transcript. */
  transcript: z.string().nullable(),
});
export type ApiWork = z.infer<typeof ApiWork>;

/** Work that led to a commit, or will. */
export const ApiChangeMade = z.object({
  /** Null while nothing is committed, and where nothing was changed. */
  commit: z.string().nullable(),
  runs: z.array(ApiWork),
  validation: z.array(ApiValidation),
});
export type ApiChangeMade = z.infer<typeof ApiChangeMade>;

/** The score of one dimension, and what it has to be. */
export const ApiScore = z.object({
  name: z.string(),
  score: z.number(),
  weight: z.number(),
  atLeast: z.number().nullable(),
  passes: z.boolean(),
});

export const ApiScorecard = z.object({
  dimensions: z.array(ApiScore),
  overall: z.number(),
  overallAtLeast: z.number(),
  passes: z.boolean(),
});
export type ApiScorecard = z.infer<typeof ApiScorecard>;

/** A review that came to nothing. */
export const ApiAttempt = z.object({
  at: z.int(),
  reason: z.string(),
  usage: Usage,
  transcript: z.string().nullable(),
});
export type ApiAttempt = z.infer<typeof ApiAttempt>;

/** A round as lists show it. */
export const ApiRoundLine = z.object({
  number: z.int().positive(),
  reviewedAt: z.int(),
  /** The commit that was judged, and the one that it is compared with. */
  head: z.string(),
  base: z.string(),
  verdict: z.enum(["pass", "fail", "inconclusive"]),
  why: z.string(),
  by: PlayedBy,
  findings: z.record(Severity, z.int().nonnegative()),
  /** How many files the reviewer saw and did not see. */
  reviewed: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  usage: Usage,
  /** The commit that answered it. */
  fixCommit: z.string().nullable(),
  /** Reviews of this head that came to nothing before this one did. */
  attempts: z.array(ApiAttempt),
});
export type ApiRoundLine = z.infer<typeof ApiRoundLine>;

/** Everything about one round but its diff, prompt and transcript. */
export const ApiRound = ApiRoundLine.omit({ verdict: true, findings: true, reviewed: true, skipped: true }).extend({
  /** The head of the round before, or the base: what this round changed starts there. */
  since: z.string(),
  report: CompleteReport,
  verdict: Verdict,
  coverage: Coverage,
  /** Each of several, where an ensemble reviewed. */
  reviewers: z.array(z.string()),
  requirementsJudged: z.boolean(),
  scorecard: ApiScorecard.nullable(),
  promptHash: z.string().nullable(),
  transcript: z.string().nullable(),
  /** What made the head of this round. */
  made: ApiChangeMade,
  /** What answered its findings; null where nothing has yet. */
  fix: ApiChangeMade.nullable(),
  lastAllowed: z.int().positive(),
});
export type ApiRound = z.infer<typeof ApiRound>;
