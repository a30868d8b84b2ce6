import type { AnalyticsDay, AnalyticsSummary, CategoryCounts, TimeSavedFormula } from "@anneal/types";
import { added, type Days, NOTHING } from "./counting.ts";

/** Only findings that were fixed by themselves count, as seed 001 has it, until somebody says what a round is worth. */
export const DEFAULT_FORMULA: TimeSavedFormula = { minutesPerFinding: 10, minutesPerRound: 0 };

/** Both ends included; an end that is left out is open. */
export interface DateRange {
  from?: string | undefined;
  to?: string | undefined;
}

export type DatedDay = AnalyticsDay & { date: string };

/** The days of a range, in order. */
export function daysIn(days: Days, { from = "", to = "\uffff" }: DateRange = {}): DatedDay[] {
  return Object.entries(days)
    .filter(([date]) => date >= from && date <= to)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, day]) => ({ date, ...day }));
}

/** What days add up to. */
export function summaryOfDays(days: readonly AnalyticsDay[], formula: TimeSavedFormula): AnalyticsSummary {
  const sum = days.reduce(added, NOTHING);
  const found = total(sum.found);
  const autoFixed = Math.max(0, total(sum.fixed) - total(sum.reopened));
  const resolved = autoFixed + sum.refuted + sum.dismissed + sum.acceptedRisk;
  return {
    loops: sum.loopsStarted,
    reviews: sum.reviews,
    fixes: sum.fixes,
    averageIterationsBeforePr: ratio(sum.reviewsBeforePr, sum.prs),
    averageIterations: ratio(sum.reviewsBeforePr + sum.reviewsBeforePass, sum.prs + sum.passes),
    firstPassRate: ratio(sum.firstPasses, sum.firstReviews),
    issuesFound: found,
    issuesAutoFixed: autoFixed,
    // What was found before the range may be resolved within it.
    resolutionRate: atMostAll(ratio(resolved, found)),
    commonCategories: commonCategories(sum, found),
    timeSaved: timeSaved(autoFixed, { trivial: sum.fixedTrivial, rounds: sum.reviews }, formula),
    tokens: sum.tokens,
    costUsd: sum.costUsd,
  };
}

function commonCategories({ found, fixed }: AnalyticsDay, all: number): AnalyticsSummary["commonCategories"] {
  const categories = Object.entries(found) as [keyof CategoryCounts, number][];
  return categories
    .map(([category, count]) => ({ category, found: count, fixed: fixed[category] ?? 0, share: count / all }))
    .sort((a, b) => b.found - a.found || (a.category < b.category ? -1 : 1));
}

function timeSaved(
  fixed: number,
  { trivial, rounds }: { trivial: number; rounds: number },
  formula: TimeSavedFormula,
): AnalyticsSummary["timeSaved"] {
  const findings = Math.max(0, fixed - trivial);
  if (findings === 0 && fixed > 0) return { minutes: 0, isTrivial: true, formula, text: "only trivial fixes" };
  const { minutesPerFinding, minutesPerRound } = formula;
  const minutes = findings * minutesPerFinding + rounds * minutesPerRound;
  const sum = `${findings} auto-fixed × ${minutesPerFinding} min + ${rounds} reviews × ${minutesPerRound} min`;
  return { minutes, formula, text: trivial === 0 ? sum : `${sum}; ${trivial} trivial not counted` };
}

function total(counts: CategoryCounts): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

function atMostAll(rate: number | null): number | null {
  return rate === null ? null : Math.min(1, rate);
}
