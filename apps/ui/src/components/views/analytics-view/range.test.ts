import { expect, test } from "vitest";
import { rangeOf } from "./range.ts";

const now = Date.parse("2026-03-10T15:00:00Z");

test.for([
  { search: {}, choice: "30d", from: "2026-02-09", to: null },
  { search: { from: "7d" }, choice: "7d", from: "2026-03-04", to: null },
  { search: { from: "90d" }, choice: "90d", from: "2025-12-11", to: null },
  { search: { from: "all" }, choice: "all", from: null, to: null },
  { search: { from: "2026-01-01", to: "2026-01-31" }, choice: "own", from: "2026-01-01", to: "2026-01-31" },
  { search: { to: "2026-01-31" }, choice: "own", from: null, to: "2026-01-31" },
  { search: { from: "2026-02-01", to: "2026-01-01" }, choice: "own", from: "2026-01-01", to: "2026-02-01" },
  { search: { from: "2026-02-30" }, choice: "30d", from: "2026-02-09", to: null },
  { search: { from: "yesterday" }, choice: "30d", from: "2026-02-09", to: null },
])("$search means $from to $to", ({ search, ...range }) => {
  expect(rangeOf(search, now)).toEqual(range);
});
