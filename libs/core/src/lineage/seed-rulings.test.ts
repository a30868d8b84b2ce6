import { CodeReviewSpec } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { badgeOf } from "../board/index.ts";
import { featureStatus } from "../items/feature-status.ts";
import { POLICIES } from "../policies/index.ts";
import { bad, clean, finding, Play, report } from "../testing/build.ts";
import { featureFields } from "../write/feature-fields.ts";
import { gateEvents } from "../write/seed-events.ts";

type Name = keyof typeof POLICIES;

const rejectedThrice = (policy: Name = "gate", options = {}) =>
  new Play(POLICIES[policy], options)
    .build()
    .review(bad("high", 1))
    .mend()
    .review(bad("high", 2))
    .mend()
    .review(bad("high", 3));

/** Rules on everything that is open, one finding after the other. */
function ruled(play: Play, disposition: "dismissed" | "accepted-risk" | "deferred" = "dismissed"): Play {
  const open = play.state.findings.filter((one) => one.disposition.kind === "open");
  for (const { fingerprint } of open) rule(play, fingerprint, disposition);
  return play;
}

function rule(play: Play, fingerprint: string, disposition: "dismissed" | "accepted-risk" | "deferred"): Play {
  const at = play.log.length * 1_000;
  return play.feed({ type: "finding-disposed", at, id: `d${at}`, fingerprint, disposition, by: "ada", reason: "no" });
}

/** What the last event of a play announces. */
function lastReported(play: Play): unknown[] {
  const event = play.log.at(-1);
  const before = replayed(play, play.log.length - 1);
  return event === undefined ? [] : gateEvents("f1", before.state, event, play.state);
}

function replayed({ policy, log }: Play, count: number): Play {
  const [first, ...rest] = log;
  if (first?.type !== "loop-started") throw new Error("no start");
  const { steps, needsApproval } = first;
  const play = new Play(policy, { steps: [...steps], needsApproval });
  for (const event of rest.slice(0, count - 1)) play.feed(event);
  return play;
}

const approved = (nextStatus: string) => [
  { type: "feature:code-review-approved", payload: { featureId: "f1", nextStatus } },
];

describe("a gate that a person's word opens", () => {
  test.for([
    { what: "a dismissal", play: () => ruled(rejectedThrice()), next: "verified" },
    { what: "a risk that is taken", play: () => ruled(rejectedThrice(), "accepted-risk"), next: "verified" },
    {
      what: "a dismissal of what is verified by hand",
      play: () => ruled(rejectedThrice("gate", { needsApproval: true })),
      next: "waiting_approval",
    },
    {
      what: "a dismissal before a pipeline",
      play: () => ruled(rejectedThrice("gate", { steps: ["step_1"] })),
      next: "pipeline_step_1",
    },
    {
      what: "findings that are accepted as they are",
      play: () => rejectedThrice("adversarial").signal("accept"),
      next: "verified",
    },
  ])("by $what is approved, on the stream, in feature.json and on the card", ({ play, next }) => {
    const after = play();
    expect(lastReported(after)).toEqual(approved(next));
    const { status, codeReviewSpec } = featureFields(after.policy, after.state, String);
    expect([status, codeReviewSpec?.status]).toEqual([next, "approved"]);
    expect(badgeOf("feature", after.policy, after.state)).toBe("approved");
    // What each review said is history.
    expect(codeReviewSpec?.iterations.map((one) => one.status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(CodeReviewSpec.safeParse(codeReviewSpec).success).toBe(true);
  });

  test("stays shut while something else is open", () => {
    const two = [finding({ snippet: "a();", line: 1 }), finding({ snippet: "b();", line: 2 })];
    const play = new Play(POLICIES.gate)
      .build()
      .review(bad("high", 1))
      .mend()
      .review(bad("high", 2))
      .mend()
      .review(report({ claim: "fail", findings: two }));
    const [first] = play.state.findings.filter((one) => one.disposition.kind === "open");
    rule(play, first?.fingerprint ?? "", "dismissed");
    expect(lastReported(play)).toEqual([]);
    expect(badgeOf("feature", play.policy, play.state)).toBe("rejected");
  });

  test("is not reported twice: an approval by hand after a review that passed says nothing new", () => {
    const play = new Play(POLICIES.gate, { needsApproval: true }).build().review(clean).signal("approve");
    expect([play.where, lastReported(play)]).toEqual(["ended: passed", []]);
  });
});

describe("a review that was cut off is not called running", () => {
  const built = (options = {}) => new Play(POLICIES.gate, options).build();
  /** What feature.json says, written state by state as the projector does. */
  const written = (play: Play) => {
    let spec: CodeReviewSpec | undefined;
    for (let count = 1; count <= play.log.length; count += 1) {
      const { policy, state } = replayed(play, count);
      spec = featureFields(policy, state, String, spec).codeReviewSpec ?? spec;
    }
    return spec;
  };
  const reviewedAnew = () =>
    built({ steps: ["step_1"] })
      .review(clean)
      .build();

  test.for([
    { what: "stopped in its first review", play: () => built().signal("stop"), column: "backlog", status: "pending" },
    { what: "paused there", play: () => built().signal("pause"), column: "code_review", status: "pending" },
    { what: "held there by a cap", play: () => built().cap(), column: "in_progress", status: "pending" },
    {
      what: "resumed",
      play: () => built().signal("pause").signal("resume"),
      column: "code_review",
      status: "reviewing",
    },
    {
      what: "stopped in its second review",
      play: () => built().review(bad("high")).mend().signal("stop"),
      column: "backlog",
      status: "rejected",
    },
    {
      what: "stopped in the review of what a step has changed",
      play: () => reviewedAnew().signal("stop"),
      column: "backlog",
      status: "pending",
    },
    {
      what: "paused in the review of what a step has changed",
      play: () => reviewedAnew().signal("pause"),
      column: "code_review",
      status: "pending",
    },
    {
      what: "stopped after it broke for good",
      play: () => built().breaks().breaks().breaks().breaks().signal("stop"),
      column: "backlog",
      status: "failed",
    },
  ])("$what: $status", ({ play, column, status }) => {
    const after = play();
    expect(featureStatus(after.state)).toBe(column);
    expect(written(after)?.status).toBe(status);
    expect(CodeReviewSpec.safeParse(written(after)).success).toBe(true);
    expect(badgeOf("feature", after.policy, after.state) ?? status).toBe(status);
  });
});
