import { expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, Play } from "../testing/build.ts";
import { boardColumn } from "./feature-status.ts";

const scored = () => new Play(POLICIES.scored).build();
const failed = () => scored().review(bad()).mend().review(bad()).mend().review(bad());
const closed = () => new Play(POLICIES["pull-request"]).build().review(clean).pr().feedback({ state: "closed" });

test.for([
  { kind: "ticket", what: "passed", play: () => scored().review(clean), column: "completed" },
  { kind: "ticket", what: "failed", play: failed, column: "waiting_approval" },
  { kind: "ticket", what: "in review", play: scored, column: "code_review" },
  { kind: "ticket", what: "stopped", play: () => scored().signal("stop"), column: "backlog" },
  { kind: "story", what: "paused", play: () => scored().signal("pause"), column: "waiting_approval" },
  { kind: "unit", what: "at work", play: () => new Play(POLICIES.advisory), column: "in_progress" },
  { kind: "feature", what: "closed on the forge", play: closed, column: "waiting_approval" },
  { kind: "story", what: "closed on the forge", play: closed, column: "waiting_approval" },
  { kind: "feature", what: "passed", play: () => scored().review(clean), column: "verified" },
])("a $kind that is $what stands in $column", ({ kind, play, column }) => {
  expect(boardColumn(kind, play().state)).toBe(column);
});
