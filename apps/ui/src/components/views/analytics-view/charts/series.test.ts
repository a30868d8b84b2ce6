import { expect, test } from "vitest";
import { binName, binRange, bins, byCategory, type ChartDay, spanOf, stacked } from "./series.ts";

const day = (date: string, found: ChartDay["found"] = {}): ChartDay => ({
  date,
  loopsStarted: 0,
  loopsEnded: 0,
  reviews: 1,
  brokenReviews: 0,
  fixes: 0,
  firstReviews: 0,
  firstPasses: 0,
  prs: 0,
  reviewsBeforePr: 0,
  passes: 0,
  reviewsBeforePass: 0,
  found,
  fixed: {},
  reopened: {},
  refuted: 0,
  dismissed: 0,
  acceptedRisk: 0,
  fixedTrivial: 0,
  deferred: 0,
  tokens: 0,
  costUsd: 0,
});
const open = { from: null, to: null };

test("days without anything are drawn as such, up to today", () => {
  const made = bins([day("2026-03-01"), day("2026-03-03")], open, "2026-03-05");
  expect(made.map(({ date, days }) => `${date} ${days.length}`)).toEqual([
    "2026-03-01 1",
    "2026-03-02 0",
    "2026-03-03 1",
    "2026-03-04 0",
    "2026-03-05 0",
  ]);
});

test.for([
  { first: "2026-01-01", last: "2026-01-30", count: 30, name: "2026-01-01" },
  { first: "2026-01-01", last: "2026-12-31", count: 53, name: "2026-01-01 to 2026-01-07" },
  { first: "2020-01-01", last: "2026-12-31", count: 92, name: "2020-01-01 to 2020-01-28" },
])("$first to $last makes $count bars, the first called $name", ({ first, last, count, name }) => {
  const made = bins([day(first), day(last)], { from: first, to: last }, "2030-01-01");
  expect(made).toHaveLength(count);
  expect(made.flatMap(({ days }) => days)).toHaveLength(2);
  expect(binName(made, 0)).toBe(name);
});

test("a bar opens the days that it stands for", () => {
  const made = bins([day("2026-01-02")], { from: "2026-01-01", to: "2026-12-31" }, "2026-12-31");
  expect(binRange(made, 1)).toEqual({ from: "2026-01-08", to: "2026-01-14" });
  expect(binRange(made, 99)).toBeNull();
});

test("findings are counted by category, most frequent first, and stack up to the whole", () => {
  const made = bins([day("2026-03-01", { logic: 2, style: 1 }), day("2026-03-02", { logic: 1 })], open, "2026-03-02");
  const common = [
    { category: "logic", found: 3, fixed: 0, share: 0.75 },
    { category: "style", found: 1, fixed: 0, share: 0.25 },
  ] as const;
  const series = byCategory(made, [...common]);
  expect(series.map(({ name, values }) => ({ name, values }))).toEqual([
    { name: "logic", values: [2, 1] },
    { name: "style", values: [1, 0] },
  ]);
  expect(stacked(series)).toEqual([
    [3, 1],
    [1, 0],
  ]);
});

test.for([
  { first: "2026-01-02", last: "2026-01-02", hours: 24 },
  { first: "2026-01-01", last: "2026-01-03", hours: 72 },
])("$first to $last is drawn over $hours hours, so that no bar is cut", ({ first, last, hours }) => {
  const [start, end] = spanOf(bins([day(first)], { from: first, to: last }, last));
  expect((end - start) / 3_600).toBe(hours);
});
