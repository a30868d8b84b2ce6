import { POLICIES } from "@anneal/core";
import { expect, test } from "vitest";
import { clean, Play } from "../../../core/src/testing/build.ts";
import { summaryOf } from "../history/summary.ts";
import { movedAway } from "./status.ts";

const passed = () => new Play(POLICIES.gate).build().review(clean).state;

test.for([
  { what: "as it was left", tip: "c1", says: null },
  {
    what: "with another commit",
    tip: "c2",
    says: "b is at c2 now, which this loop has not reviewed; the loop ended at c1",
  },
  { what: "gone", tip: undefined, says: null },
  {
    what: "with another commit after it was stopped",
    tip: "c2",
    state: () => new Play(POLICIES.gate).build().signal("stop").state,
    says: null,
  },
  {
    what: "at the documents of its reviews",
    tip: "d1",
    state: () => ({ ...passed(), documents: { of: "c1", commit: "d1" } }),
    says: null,
  },
  {
    what: "with another commit while its loop is under way",
    tip: "c2",
    state: () => new Play(POLICIES.gate).build().state,
    says: null,
  },
])("the branch of a loop, $what", ({ tip, state = passed, says }) => {
  const about = { title: "t", branch: "b", policy: POLICIES.gate };
  const summary = summaryOf(about, state(), { costUsd: 0, tokens: 0 });
  expect(movedAway(tip === undefined ? [] : [{ name: "b", at: tip }], summary)).toBe(says);
});
