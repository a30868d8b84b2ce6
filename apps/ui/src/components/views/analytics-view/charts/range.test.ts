import { expect, test } from "vitest";
import { inRange, isBackwards, rangeOf } from "./range.ts";

const now = Date.parse("2026-03-10T15:00:00Z");

test.for([
  { search: {}, choice: "30d", from: "2026-02-09", to: null },
  { search: { from: "7d" }, choice: "7d", from: "2026-03-04", to: null },
  { search: { from: "90d" }, choice: "90d", from: "2025-12-11", to: null },
  { search: { from: "all" }, choice: "all", from: null, to: null },
  { search: { from: "2026-01-01", to: "2026-01-31" }, choice: "own", from: "2026-01-01", to: "2026-01-31" },
  { search: { to: "2026-01-31" }, choice: "own", from: null, to: "2026-01-31" },
  { search: { from: "2026-02-01", to: "2026-01-01" }, choice: "own", from: "2026-02-01", to: "2026-01-01" },
  { search: { from: "2026-02-30" }, choice: "30d", from: "2026-02-09", to: null },
  { search: { from: "yesterday" }, choice: "30d", from: "2026-02-09", to: null },
])("$search means $from to $to", ({ search, ...range }) => {
  expect(rangeOf(search, now)).toEqual(range);
});

test.for([
  { from: "2026-02-01", to: "2026-01-31", backwards: true },
  { from: "2026-02-01", to: "2026-02-01", backwards: false },
  { from: "2026-02-01", to: null, backwards: false },
  { from: null, to: "2026-01-31", backwards: false },
])("$from to $to is backwards: $backwards", ({ from, to, backwards }) => {
  expect(isBackwards({ from, to })).toBe(backwards);
});

test.for([
  { from: "2026-01-02", to: "2026-01-03", inside: ["2026-01-02T00:00:00Z", "2026-01-03T23:59:59Z"] },
  { from: "2026-01-03", to: null, inside: ["2026-01-03T23:59:59Z", "2026-01-04T00:00:00Z"] },
  { from: null, to: "2026-01-01", inside: ["2026-01-01T23:59:59Z"] },
  { from: null, to: null, inside: null },
])("what happened from $from to $to", ({ from, to, inside }) => {
  const all = ["01-01T23:59:59Z", "01-02T00:00:00Z", "01-03T23:59:59Z", "01-04T00:00:00Z"].map((end) => `2026-${end}`);
  expect(all.filter((time) => inRange({ from, to }, Date.parse(time)))).toEqual(inside ?? all);
});
