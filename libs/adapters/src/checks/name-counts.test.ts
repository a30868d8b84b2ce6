import { expect, test } from "vitest";
import { inBoth, moreOften } from "./name-counts.ts";

test.for([
  { now: ["a"], before: ["a"], more: [], both: ["a"] },
  { now: ["a", "a"], before: ["a"], more: ["a"], both: ["a"] },
  { now: ["a"], before: ["a", "a"], more: [], both: ["a"] },
  { now: ["a", "a", "a", "b", "c"], before: ["a", "c"], more: ["a", "b"], both: ["a", "c"] },
  { now: [], before: ["a"], more: [], both: [] },
])("$now after $before: $more more often, $both in both", ({ now, before, more, both }) => {
  expect(moreOften(now, before)).toEqual(more);
  expect(inBoth(now, before).sort()).toEqual(both);
});
