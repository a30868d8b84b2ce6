import type { RedTests, TestTotals } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { notSeen, redTests, redTogether } from "./red-tests.ts";

const totals = (over: Partial<TestTotals>): TestTotals => ({ ran: 0, skipped: 0, passed: [], failed: [], ...over });

describe("what a red run asks of the fixes for it", () => {
  test.for<{ what: string; run: Partial<TestTotals>; preexisting?: string[]; named: RedTests["named"] }>([
    { what: "that which failed", run: { passed: ["b"], failed: ["a"] }, named: [{ name: "a", times: 1 }] },
    {
      what: "as often as the name ran",
      run: { passed: ["a", "b"], failed: ["a"] },
      named: [{ name: "a", times: 2 }],
    },
    {
      what: "not what failed before",
      run: { failed: ["a", "b c"] },
      preexisting: ["x.test.js > b c"],
      named: [{ name: "a", times: 1 }],
    },
    {
      what: "one of a name of which another failed before",
      run: { failed: ["TestA", "TestA"], passed: ["TestA"] },
      preexisting: ["example.com/app.TestA"],
      named: [{ name: "TestA", times: 2 }],
    },
  ])("$what", ({ run, preexisting = [], named }) => {
    expect(redTests(totals({ ran: 3, skipped: 1, ...run }), preexisting)).toEqual({ ran: 3, skipped: 1, named });
  });

  test("a later red run adds what the first did not get to, and does not excuse what was switched off since", () => {
    const first = { ran: 1, skipped: 0, named: [{ name: "a", times: 1 }] };
    const later = { ran: 9, skipped: 1, named: [{ name: "a", times: 3 }, ...[{ name: "b", times: 1 }]] };
    const both = [first.named[0], { name: "b", times: 1 }];
    expect(redTogether(first, later)).toEqual({ ran: 9, skipped: 0, named: both });
    expect(redTogether(undefined, later)).toBe(later);
    expect(redTogether(first, undefined)).toBe(first);
  });
});

describe("what a green run does not show", () => {
  const red = { ran: 3, skipped: 1, named: [{ name: "adds", times: 2 }] };
  const green = { ran: 3, skipped: 1, passed: ["adds", "adds", "is there"] };
  test.for<{ what: string; run: Partial<TestTotals> | null; says: string[] }>([
    { what: "nothing, where all is as it was", run: green, says: [] },
    { what: "nothing, where there is more", run: { ...green, ran: 4, skipped: 0 }, says: [] },
    {
      what: "a test that no longer runs",
      run: { ...green, ran: 2, passed: ["adds", "is there"] },
      says: [
        '"adds" failed before and is not among the tests that passed',
        "only 2 tests ran, but 3 while the checks failed",
      ],
    },
    {
      what: "a test that another one took the place of",
      run: { ...green, passed: ["adds", "is there", "more"] },
      says: ['"adds" failed before and is not among the tests that passed'],
    },
    {
      what: "a test that is switched off, with another one beside it",
      run: { ...green, skipped: 2 },
      says: ["2 tests are skipped, but 1 were before"],
    },
    {
      what: "all, where the run tells of no test",
      run: null,
      says: [
        '"adds" failed before and is not among the tests that passed',
        "only 0 tests ran, but 3 while the checks failed",
      ],
    },
  ])("$what", ({ run, says }) => {
    expect(notSeen(red, run === null ? null : totals(run))).toEqual(says);
  });
});
