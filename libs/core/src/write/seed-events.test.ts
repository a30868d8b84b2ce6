import { CodeReviewSpec, EventMap, FeatureStatus } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { featureStatus } from "../items/feature-status.ts";
import { advance, start } from "../loop/loop.ts";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, Play, report } from "../testing/build.ts";
import { brokenReviewFile, codeReviewSpec, featureFields, reviewFileOf } from "./feature-fields.ts";
import { gateEvents } from "./seed-events.ts";

/** All that a play announces, and the column after each event, from its log alone. */
function sentBy(play: Play) {
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

describe("seed 000, from the log", () => {
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
      story: "the last rejection goes in circles",
      play: () => gate().build().review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 1)),
      names: "started completed rejected started completed rejected started completed rejected max-iterations",
      columns: "in_progress code_review in_progress code_review in_progress code_review in_progress",
    },
    {
      story: "in circles while a round is left",
      play: () =>
        new Play({ ...POLICIES.gate, limits: { ...POLICIES.gate.limits, reviews: 5, fixes: 4 } })
          .build()
          .review(bad("high", 1))
          .mend()
          .review(bad("high", 2))
          .mend()
          .review(bad("high", 1)),
      names: "started completed rejected started completed rejected started completed rejected",
      columns: "in_progress code_review in_progress code_review in_progress code_review in_progress",
    },
    {
      story: "each cycle has its last rejection",
      play: () =>
        gate()
          .build()
          .review(bad("high", 1))
          .mend()
          .review(bad("high", 2))
          .mend()
          .review(bad("high", 3))
          .signal("resume")
          .mend()
          .review(bad("high", 4))
          .mend()
          .review(bad("high", 5))
          .mend()
          .review(bad("high", 6)),
      names: [
        ...["started completed rejected", "started completed rejected", "started completed rejected max-iterations"],
        ...["started completed rejected", "started completed rejected", "started completed rejected max-iterations"],
      ].join(" "),
      columns:
        "in_progress code_review in_progress code_review in_progress code_review in_progress code_review in_progress code_review in_progress code_review in_progress",
    },
    {
      story: "the last rejection of what becomes a pull request all the same",
      play: () =>
        new Play(POLICIES["pull-request"])
          .build()
          .review(bad("high", 1))
          .mend()
          .review(bad("high", 2))
          .mend()
          .review(bad("high", 3)),
      names: "started completed rejected started completed rejected started completed rejected max-iterations",
      columns: "in_progress code_review in_progress code_review in_progress code_review waiting_approval",
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
    const sent = sentBy(play());
    expect(sent.names.join(" ")).toBe(names);
    expect(sent.columns.join(" ")).toBe(columns);
    for (const { type, payload } of sent.events) expect(EventMap.shape[type].safeParse(payload).success).toBe(true);
    for (const column of sent.columns) expect(FeatureStatus.safeParse(column).success).toBe(true);
  });

  test("the approved event names the next status", () => {
    const { events } = sentBy(
      gate({ steps: ["step_9"] })
        .build()
        .review(clean),
    );
    expect(events.at(-1)).toEqual({
      type: "feature:code-review-approved",
      payload: { featureId: "f1", nextStatus: "pipeline_step_9" },
    });
  });

  test("progress tells each attempt apart: after a break, and after a crash in the middle", () => {
    const begins = (attempt = 1) => ({ type: "intended", at: 1, stage: "reviewing", attempt }) as const;
    const play = gate().build().feed(begins()).feed(begins(2)).breaks().feed(begins()).breaks().feed(begins());
    const messages = sentBy(play).events.flatMap(({ payload }) =>
      payload !== null && "message" in payload ? [payload.message] : [],
    );
    expect(messages).toEqual([
      "the reviewer is working",
      "the reviewer retries (attempt 1, begun 2 times)",
      "the reviewer retries (attempt 2)",
      "the reviewer retries (attempt 3)",
    ]);
  });

  test("the rejected event tells what to do also where the reviewer does not", () => {
    const { events } = sentBy(gate().build().review(bad("high")));
    expect(events.at(-1)).toMatchObject({
      type: "feature:code-review-rejected",
      payload: { rejectionReason: expect.stringMatching(/^Code Quality issue: Total is wrong for an empty cart \(/) },
    });
  });

  test("findings carry the keys that the seed names, and no others", () => {
    const events = sentBy(gate().build().review(bad("high"))).events;
    const completed = events.flatMap((event) => (event.type === "feature:code-review-completed" ? [event] : []));
    expect(completed.flatMap(({ payload }) => payload.findings.map((one) => Object.keys(one).join(" ")))).toEqual([
      "category severity title description file line",
    ]);
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

  test("a review that broke for good shows who tried it last and the diff that it was shown", () => {
    const by = { agent: "claude", model: "claude-opus-4-5", provider: "anthropic" };
    const garbage = { status: "inconclusive", reason: "no decision" } as const;
    const broken = () => gate().build().review(garbage, { by, diff: "d1" }).breaks().breaks();
    const shown = { reviewedByModel: "claude-opus-4-5", reviewedByProvider: "anthropic", gitDiff: "d1" };
    expect(spec(broken().breaks())?.iterations).toMatchObject([{ status: "failed", ...shown, gitCommitHash: "c1" }]);
    const thrown = broken().feed({
      type: "broke",
      at: 9_000,
      usage: {},
      stage: "reviewing",
      reason: "no network",
      review: { by: { agent: "codex", model: null, provider: "openai" }, diff: "d2" },
    });
    expect(spec(thrown)?.iterations).toMatchObject([
      { reviewedByModel: "codex", reviewedByProvider: "openai", gitDiff: "d2", overallSummary: "no network" },
    ]);
    expect(brokenReviewFile("T", thrown.policy, thrown.state, String)?.markdown).toContain(
      "**Reviewed By Model**: codex\n",
    );
  });
});

describe("a loop over a feature that was reviewed before", () => {
  const again = (earlierRounds = 2) => gate({ earlierRounds });
  const rejectedTwice = () => again().build().review(bad("high", 1)).mend().review(bad("high", 2));

  test("numbers its rounds, outputs, findings and events on", () => {
    const play = rejectedTwice();
    expect(play.state.rounds.map(({ number }) => number)).toEqual([3, 4]);
    expect(play.state.findings.map(({ firstRound }) => firstRound)).toEqual([3, 4]);
    expect(play.state.fixes.map(({ round }) => round)).toEqual([3]);
    const numbers = sentBy(play).events.flatMap(({ payload }) =>
      payload !== null && "iterationNumber" in payload ? [payload.iterationNumber] : [],
    );
    expect(numbers).toEqual([3, 3, 3, 4, 4, 4]);
    expect(spec(play)).toMatchObject({
      currentIteration: 4,
      iterations: [{ iterationNumber: 3 }, { iterationNumber: 4 }],
    });
    expect(spec(again().build())).toMatchObject({ status: "reviewing", currentIteration: 3, iterations: [] });
  });

  test("has as many rounds as any other", () => {
    const play = rejectedTwice();
    expect(play.where).toBe("fixing");
    expect(play.mend().review(bad("high", 3)).where).toBe("waiting: rounds-exhausted");
  });

  test("leaves what was there before as it is, keys that nobody knows included", () => {
    const foreign = { ...spec(gate().build().review(bad("high")))?.iterations[0], seenBy: "robin" };
    const two = { ...foreign, iterationNumber: 2 };
    const play = rejectedTwice();
    const written = { status: "rejected", currentIteration: 2, maxIterations: 3, iterations: [foreign, two], by: "us" };
    const fields = featureFields(play.policy, play.state, String, CodeReviewSpec.parse(written));
    expect(fields.codeReviewSpec).toMatchObject({ by: "us", currentIteration: 4 });
    expect(fields.codeReviewSpec?.iterations.slice(0, 2)).toEqual([foreign, two]);
    expect(fields.codeReviewSpec?.iterations.map(({ iterationNumber }) => iterationNumber)).toEqual([1, 2, 3, 4]);
    const twice = featureFields(play.policy, play.state, String, fields.codeReviewSpec);
    expect(twice).toEqual(fields);
  });

  test("sees a finding that comes back as going in circles", () => {
    const play = again().build().review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 1));
    expect(play.where).toBe("waiting: oscillating");
  });
});

describe("a review's file says which round it is of those that were allowed then", () => {
  const headed = (play: Play) =>
    play.state.rounds.map((round) => /\*\*(Iteration .*)\*\*/.exec(reviewFileOf("T", round, String).markdown)?.[1]);
  const ranOut = (options = {}) =>
    gate(options).build().review(bad("high", 1)).mend().review(bad("high", 2)).mend().review(bad("high", 3));

  test.for([
    {
      when: "in a first cycle and after a person resumed it",
      play: () => ranOut().signal("resume").mend().review(bad("high", 4)),
      says: ["1 of 3", "2 of 3", "3 of 3", "4 of 6"],
    },
    { when: "in a second loop", play: () => ranOut({ earlierRounds: 1 }), says: ["2 of 4", "3 of 4", "4 of 4"] },
    {
      when: "after a person granted one more",
      play: () =>
        new Play(POLICIES.adversarial)
          .build()
          .review(bad("high", 1))
          .mend()
          .review(bad("high", 2))
          .mend()
          .review(bad("high", 3))
          .signal("one-more")
          .mend()
          .review(bad("high", 4)),
      says: ["1 of 3", "2 of 3", "3 of 3", "4 of 4"],
    },
  ])("$when", ({ play, says }) => {
    expect(headed(play())).toEqual(says.map((one) => `Iteration ${one}`));
  });

  test("and where it broke", () => {
    const { policy, state } = ranOut().signal("resume").mend().breaks().breaks().breaks().breaks();
    expect(brokenReviewFile("T", policy, state, String)?.markdown).toContain("**Iteration 4 of 6**");
  });
});
