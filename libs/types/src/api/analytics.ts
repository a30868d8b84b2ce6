import { z } from "zod";
import { Category } from "../review/finding.ts";

const count = z.int().nonnegative();
const share = z.number().min(0).max(1).nullable();

/** A day in UTC, such as 2026-01-31. */
export const AnalyticsDate = z.iso.date();

/** Findings by what they are about; a category without any is left out. */
export const CategoryCounts = z.partialRecord(Category, count);
export type CategoryCounts = z.infer<typeof CategoryCounts>;

/** What happened on one day. Days can be added up. */
export const AnalyticsDay = z.object({
  loopsStarted: count,
  loopsEnded: count,
  /** Reviews with a verdict, and those without. */
  reviews: count,
  brokenReviews: count,
  fixes: count,
  /** First reviews of loops, and how many of them passed. */
  firstReviews: count,
  firstPasses: count,
  /** Loops that opened their pull request, and how many reviews they had had by then. */
  prs: count,
  reviewsBeforePr: count,
  /** Loops that passed without a pull request, and how many reviews they had had by then. */
  passes: count,
  reviewsBeforePass: count,
  /** Findings that were new, that a fix resolved, and that came back after that. */
  found: CategoryCounts,
  fixed: CategoryCounts,
  reopened: CategoryCounts,
  /** Those of the fixed that saved nobody much time: low or info, or what the embedded fixer repairs without judgement. */
  fixedTrivial: count,
  /** Findings that were settled otherwise. */
  refuted: count,
  dismissed: count,
  acceptedRisk: count,
  deferred: count,
  tokens: count,
  costUsd: z.number().nonnegative(),
});
export type AnalyticsDay = z.infer<typeof AnalyticsDay>;

/** How time saved is estimated. */
export const TimeSavedFormula = z.object({
  minutesPerFinding: z.number().min(0).max(10_000),
  minutesPerRound: z.number().min(0).max(10_000),
});
export type TimeSavedFormula = z.infer<typeof TimeSavedFormula>;

/** What the days of a range add up to. A rate without anything to divide by is null. */
export const AnalyticsSummary = z.object({
  loops: count,
  reviews: count,
  fixes: count,
  averageIterationsBeforePr: z.number().nullable(),
  /** The same for all loops that passed, with or without a pull request. */
  averageIterations: z.number().nullable(),
  firstPassRate: share,
  issuesFound: count,
  issuesAutoFixed: count,
  /** Findings that were fixed, refuted, dismissed or accepted, of those that were found. */
  resolutionRate: share,
  /** Most frequent first. */
  commonCategories: z.array(z.object({ category: Category, found: count, fixed: count, share: z.number() })),
  timeSaved: z.object({
    minutes: z.number().nonnegative(),
    /** Nothing that was fixed was worth an estimate: none is shown. */
    isTrivial: z.literal(true).optional(),
    formula: TimeSavedFormula,
    /** The sum as it was done, for people. */
    text: z.string(),
  }),
  tokens: count,
  costUsd: z.number().nonnegative(),
});
export type AnalyticsSummary = z.infer<typeof AnalyticsSummary>;

/** `.automaker/analytics/review-loop.json`: derived from the log, and made anew whenever it is gone or damaged. */
export const ReviewLoopAnalytics = z.looseObject({
  version: z.literal(1),
  /** Which log it was made from. */
  log: z.string().nullable(),
  /** The last event that it knows. */
  seq: count,
  summary: AnalyticsSummary,
  /** By day. */
  days: z.record(AnalyticsDate, AnalyticsDay),
});
export type ReviewLoopAnalytics = z.infer<typeof ReviewLoopAnalytics>;

/** How the loops of a project do, over all time or a range of days. */
export const ApiAnalytics = z.object({
  /** The range that was asked for; null where it is open. */
  from: AnalyticsDate.nullable(),
  to: AnalyticsDate.nullable(),
  /** The last event that is counted. */
  seq: count,
  summary: AnalyticsSummary,
  /** Days on which something happened, in order: issues by category over time. */
  days: z.array(AnalyticsDay.extend({ date: AnalyticsDate })),
});
export type ApiAnalytics = z.infer<typeof ApiAnalytics>;
