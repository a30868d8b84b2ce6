import type { AnalyticsDay, CategoryCounts, Finding, LoopEvent, LoopState, TrackedFinding } from "@anneal/types";
import { addSpent, withUsage } from "../agents/believable.ts";

/** Everything that was counted so far, by day in UTC. */
export type Days = Readonly<Record<string, AnalyticsDay>>;

/** One event of a loop with the states around it; before its first event a loop has none. */
export interface Happening {
  event: LoopEvent;
  before: LoopState | null;
  after: LoopState;
}

/** Counts one event. What changes nothing gives back the very same days. */
export function counted(days: Days, happening: Happening): Days {
  const fresh = countsOf(happening);
  if (fresh === null) return days;
  const date = dateOf(happening.event.at);
  return { ...days, [date]: added(days[date] ?? NOTHING, fresh) };
}

export const NOTHING: AnalyticsDay = {
  loopsStarted: 0,
  loopsEnded: 0,
  reviews: 0,
  brokenReviews: 0,
  fixes: 0,
  firstReviews: 0,
  firstPasses: 0,
  prs: 0,
  reviewsBeforePr: 0,
  passes: 0,
  reviewsBeforePass: 0,
  found: {},
  fixed: {},
  reopened: {},
  fixedTrivial: 0,
  refuted: 0,
  dismissed: 0,
  acceptedRisk: 0,
  deferred: 0,
  tokens: 0,
  costUsd: 0,
};

/** Adds two days up. */
export function added(a: AnalyticsDay, b: Partial<AnalyticsDay>): AnalyticsDay {
  const sum = { ...a };
  for (const key of NUMBERS) sum[key] += b[key] ?? 0;
  Object.assign(sum, addSpent(a, { tokens: b.tokens ?? 0, costUsd: b.costUsd ?? 0 }));
  for (const key of BY_CATEGORY) sum[key] = summed(a[key], b[key]);
  return sum;
}

const BY_CATEGORY = ["found", "fixed", "reopened"] as const;

type Numbers = Exclude<keyof AnalyticsDay, (typeof BY_CATEGORY)[number]>;
const NUMBERS = Object.entries(NOTHING).flatMap(([key, value]) =>
  typeof value === "number" ? [key] : [],
) as Numbers[];

function summed(a: CategoryCounts, b: CategoryCounts = {}): CategoryCounts {
  const sum = { ...a };
  for (const category of Object.keys(b) as (keyof CategoryCounts)[])
    sum[category] = (sum[category] ?? 0) + (b[category] ?? 0);
  return sum;
}

/** What one event adds; null where it adds nothing. */
function countsOf(happening: Happening): Partial<AnalyticsDay> | null {
  const counts = {
    ...beginAndEnd(happening),
    ...reviewed(happening),
    ...delivered(happening),
    ...ledgerMoves(happening),
    ...used(happening.event),
  };
  return Object.keys(counts).length === 0 ? null : counts;
}

function beginAndEnd({ event, before, after }: Happening): Partial<AnalyticsDay> {
  if (event.type === "loop-started") return { loopsStarted: 1 };
  return after.stage === "ended" && before?.stage !== "ended" ? { loopsEnded: 1 } : {};
}

function reviewed({ event, before, after }: Happening): Partial<AnalyticsDay> {
  if (event.type === "fixed" && before?.stage === "fixing") return { fixes: 1 };
  if (event.type === "broke" && event.stage === "reviewing") return { brokenReviews: 1 };
  if (event.type !== "reviewed") return {};
  const had = before?.rounds.length ?? 0;
  const round = after.rounds[had];
  if (round === undefined) return { brokenReviews: 1 };
  if (had > 0) return { reviews: 1 };
  return { reviews: 1, firstReviews: 1, ...(round.verdict.result === "pass" ? { firstPasses: 1 } : {}) };
}

const TAKEN: readonly string[] = ["passed", "merged", "accepted"];

/** A change that nobody reviewed tells nothing about reviews. */
function delivered({ before, after }: Happening): Partial<AnalyticsDay> {
  const reviews = after.rounds.length;
  if (before === null || reviews === 0) return {};
  if (before.pr === null && after.pr !== null) return { prs: 1, reviewsBeforePr: reviews };
  const ends = before.stage !== "ended" && after.stage === "ended";
  const passes = ends && after.pr === null && TAKEN.includes(after.outcome);
  return passes ? { passes: 1, reviewsBeforePass: reviews } : {};
}

type Kind = TrackedFinding["disposition"]["kind"];

/** That a fresh reviewer does not name a finding any more says nothing of its code: only what lost it counts. */
const GONE: readonly Kind[] = ["fixed"];

const RULINGS = {
  refuted: "refuted",
  dismissed: "dismissed",
  "accepted-risk": "acceptedRisk",
  deferred: "deferred",
} as const;

function ledgerMoves({ before, after }: Happening): Partial<AnalyticsDay> {
  if (before?.findings === after.findings) return {};
  const earlier = new Map(before?.findings.map((entry) => [entry.fingerprint, entry.disposition.kind]));
  const moves: Partial<AnalyticsDay> = {};
  for (const { fingerprint, finding, disposition } of after.findings) {
    const was = earlier.get(fingerprint);
    const { kind } = disposition;
    if (was === undefined) moves.found = summed(moves.found ?? {}, { [finding.category]: 1 });
    if (was === kind) continue;
    if (GONE.includes(kind) && !isGone(was)) {
      moves.fixed = summed(moves.fixed ?? {}, { [finding.category]: 1 });
      if (isTrivial(finding)) moves.fixedTrivial = (moves.fixedTrivial ?? 0) + 1;
    }
    if (kind === "open" && isGone(was)) moves.reopened = summed(moves.reopened ?? {}, { [finding.category]: 1 });
    if (isRuling(kind)) moves[RULINGS[kind]] = (moves[RULINGS[kind]] ?? 0) + 1;
  }
  return moves;
}

/** The rules of the embedded reviewer whose findings its fixer repairs without judgement. */
export const SAFE_REPAIRS: readonly string[] = ["focused-test", "debug-leftover", "broken-data-file"];

function isTrivial({ severity, rule }: Finding): boolean {
  return severity === "low" || severity === "info" || (rule !== undefined && SAFE_REPAIRS.includes(rule));
}

function isGone(kind: Kind | undefined): boolean {
  return kind !== undefined && GONE.includes(kind);
}

function isRuling(kind: Kind): kind is keyof typeof RULINGS {
  return Object.hasOwn(RULINGS, kind);
}

function used(event: LoopEvent): Partial<AnalyticsDay> {
  const { tokens, costUsd } = withUsage({ tokens: 0, costUsd: 0 }, event);
  return { ...(tokens > 0 ? { tokens } : {}), ...(costUsd > 0 ? { costUsd } : {}) };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}
