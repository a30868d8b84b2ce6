import { EventMap, FeatureStatus } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { featureStatus } from "./feature-status.ts";
import { advance, start } from "./loop.ts";
import { POLICIES } from "./policies/index.ts";
import { gateEvents } from "./seed-events.ts";
import { bad, clean, Play, report } from "./testing/build.ts";
import { codeReviewSpec } from "./write/feature-fields.ts";

/** All that a play announces, and the column after each event, from its log alone. */
function told(play: Play) {
  const [first, ...rest] = play.log;
  if (first?.type !== "loop-started") throw new Error("no start");
  let state = start(first);
  const events = gateEvents("f1", null, first, state);
  const columns: string[] = [featureStatus(state)];
  for (const event of rest) {
    const next = advance(play.policy, state, event);
    events.push(...gateEvents("f1", state, event, next));
    if (featureStatus(next) !== columns.at(-1)) columns.push(featureStatus(next));
    state = next;
  }
  return { names: events.map((event) => event.type.replace("feature:code-review-", "")), events, columns };
}
const gate = (options = {}) => new Play(POLICIES.gate, options);
const spec = (play: Play) => codeReviewSpec(play.policy, play.state, (blob) => blob);

describe("seed 000, told from the log", () => {
  test.for([
    {
      story: "approved at once",
      play: () => gate().build().review(clean),
      names: "started completed approved",
      columns: "in_progress code_review verified",
    },
    {
      story: "approved, verified by hand",
      play: () => gate({ needsApproval: true }).build().review(clean),
      names: "started completed approved",
      columns: "in_progress code_review waiting_approval",
    },
    {
      story: "rejected, fixed, approved",
      play: () => gate().build().review(bad("high", 1)).mend().review(clean),
      names: "started completed rejected started completed approved",
      columns: "in_progress code_review in_progress code_review verified",
    },
    {
      story: "rejected three times",
      play: () => gate().build().review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 3)),
      names: "started completed rejected started completed rejected started completed rejected max-iterations",
      columns: "in_progress code_review in_progress code_review in_progress code_review in_progress",
    },
    {
      story: "the review breaks for good",
      play: () => gate().build().breaks().breaks().breaks().breaks(),
      names: "started failed",
      columns: "in_progress code_review in_progress",
    },
    {
      story: "a custom pipeline",
      play: () =>
        gate({ steps: ["step_1", "step_2"] })
          .build()
          .review(clean)
          .implement(false)
          .implement(false),
      names: "started completed approved",
      columns: "in_progress code_review pipeline_step_1 pipeline_step_2 verified",
    },
    {
      story: "stopped",
      play: () => gate().build().signal("stop"),
      names: "started",
      columns: "in_progress code_review backlog",
    },
  ])("$story", ({ play, names, columns }) => {
    const story = told(play());
    expect(story.names.join(" ")).toBe(names);
    expect(story.columns.join(" ")).toBe(columns);
    for (const { type, payload } of story.events) expect(EventMap.shape[type].safeParse(payload).success).toBe(true);
    for (const column of story.columns) expect(FeatureStatus.safeParse(column).success).toBe(true);
  });

  test("the approved event names the next status", () => {
    const { events } = told(
      gate({ steps: ["step_9"] })
        .build()
        .review(clean),
    );
    expect(events.at(-1)).toEqual({
      type: "feature:code-review-approved",
      payload: { featureId: "f1", nextStatus: "pipeline_step_9" },
    });
  });

  test("progress says which attempt it is", () => {
    const play = gate().build().feed({ type: "intended", at: 1, stage: "reviewing", attempt: 2 });
    expect(told(play).events.at(-1)).toMatchObject({ payload: { message: "the reviewer tries again (attempt 2)" } });
  });
});

describe("codeReviewSpec", () => {
  test.for([
    { when: "before any review", play: () => gate().implement(), status: undefined, iterations: 0, current: undefined },
    { when: "while the first review runs", play: () => gate().build(), status: "reviewing", iterations: 0, current: 1 },
    {
      when: "after a rejection",
      play: () => gate().build().review(bad("high")),
      status: "rejected",
      iterations: 1,
      current: 1,
    },
    {
      when: "while the second runs",
      play: () => gate().build().review(bad("high")).mend(),
      status: "reviewing",
      iterations: 1,
      current: 2,
    },
    {
      when: "after an approval",
      play: () => gate().build().review(clean),
      status: "approved",
      iterations: 1,
      current: 1,
    },
    {
      when: "after a review that broke for good",
      play: () => gate().build().breaks().breaks().breaks().breaks(),
      status: "failed",
      iterations: 1,
      current: 1,
    },
  ])("$when: $status", ({ play, status, iterations, current }) => {
    const found = spec(play());
    expect(found?.status).toBe(status);
    expect(found?.iterations.length ?? 0).toBe(iterations);
    expect(found?.currentIteration).toBe(current);
    if (found) expect(found.maxIterations).toBe(3);
  });

  test("holds each round with its diff, its reviewer and its reason", () => {
    const by = { agent: "claude", model: "claude-opus-4-5", provider: "anthropic" };
    const rejected = report({ ...bad("high"), demand: "validate empty passwords" });
    const play = gate().build().review(rejected, { by, diff: "the diff" });
    expect(spec(play)?.iterations[0]).toMatchObject({
      iterationNumber: 1,
      status: "rejected",
      reviewedByModel: "claude-opus-4-5",
      reviewedByProvider: "anthropic",
      gitCommitHash: "c1",
      gitDiff: "the diff",
      rejectionReason: "validate empty passwords",
      reviewFile: "code-review-iteration-1.md",
    });
  });
});
