import { EventFrame, EventMap, EventName } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { activityOf, frameBytes, framesOf } from "./frames.ts";
import { Recent } from "./recent.ts";

const featureId = "feature-1";
const at = "2026-03-02T08:05:00Z";
const session = {
  featureId,
  state: "self_reviewing",
  iterations: [],
  currentIteration: 1,
  startedAt: at,
  lastUpdatedAt: at,
};
const examples: Record<EventName, unknown> = {
  "feature:code-review-started": { featureId, iterationNumber: 1 },
  "feature:code-review-progress": { featureId, iterationNumber: 1, message: "the reviewer is working" },
  "feature:code-review-completed": {
    featureId,
    iterationNumber: 1,
    status: "rejected",
    findings: [{ category: "code", severity: "error", title: 't"\n', description: "d\u2028" }],
    summary: "s",
  },
  "feature:code-review-approved": { featureId, nextStatus: "waiting_approval" },
  "feature:code-review-rejected": { featureId, iterationNumber: 1, rejectionReason: "r" },
  "feature:code-review-failed": { featureId, error: "e" },
  "feature:code-review-max-iterations": { featureId },
  "review-loop:state-changed": {
    featureId,
    previousState: "pending_self_review",
    newState: "self_reviewing",
    session,
  },
  "review-loop:review-completed": {
    featureId,
    result: { verdict: "pass", issues: [], summary: "s", iteration: 1, timestamp: at },
  },
  "review-loop:refinement-completed": {
    featureId,
    result: { addressedIssueIds: ["i"], unaddressedIssueIds: [], newIssuesIntroduced: [], notes: "" },
  },
  "review-loop:pr-feedback-received": {
    featureId,
    feedback: { actionableIssues: [], questionsToAnswer: [], requiresHumanDecision: [], overallStatus: "blocked" },
  },
  "review-loop:ready-for-human": { featureId, prUrl: "https://example.test/pull/1", summary: "s" },
  "review-loop:error": { featureId, error: "e", stage: "refining" },
  "codereview.started": null,
  "codereview.passed": { summary: "s" },
  "codereview.issues_found": { count: 1, issues: [{ file: "a.go", line: 1, severity: "warning", message: "m" }] },
  "codereview.fix_applied": null,
  "codereview.failed": { error: "e" },
};

const told = (seed: object[]) =>
  ({
    seq: 7,
    loop: "feature-1~1",
    item: "feature-1",
    title: "A feature",
    policy: { name: "gate" },
    event: { type: "reviewed", at: 5, regions: [1], standing: [2], renames: { a: "b" }, head: "c1" },
    state: { stage: "fixing" },
    seed,
    lines: [],
  }) as never;

describe("a message of the stream", () => {
  test.for(EventName.options)("carries %s in the seed's own name and payload, after the loop's own", (type) => {
    const payload = examples[type];
    const [own, seeds, ...more] = framesOf("p-1", told([{ type, payload }])).map((frame) =>
      EventFrame.parse(JSON.parse(String(frameBytes(frame, "c")))),
    );
    expect(more).toEqual([]);
    expect(own).toMatchObject({ seq: 7, part: 0, type: "loop:reviewed", cursor: "c" });
    expect(seeds).toEqual({
      ...{ seq: 7, part: 1, type, payload, project: "p-1", loop: "feature-1~1", item: "feature-1", cursor: "c" },
    });
    expect(EventMap.shape[type].parse(seeds?.payload)).toEqual(payload);
  });

  test("leaves out what only the gate needs", () => {
    const [frame] = framesOf("p-1", told([]));
    expect(frame && JSON.parse(String(frameBytes(frame, "c"))).payload).toEqual({
      ...{ loop: "feature-1~1", item: "feature-1", title: "A feature", policy: "gate", stage: "fixing" },
      event: { type: "reviewed", at: 5, head: "c1" },
    });
  });

  test.for([
    { event: { kind: "text", text: "I look" }, payload: { kind: "text", text: "I look" } },
    { event: { kind: "tool", name: "Read", detail: "a.ts" }, payload: { kind: "tool", name: "Read", text: "a.ts" } },
    { event: { kind: "note", text: "x".repeat(9_000) }, payload: { kind: "note", text: "x".repeat(4_000) } },
  ])("tells what an agent does: $event.kind", ({ event, payload }) => {
    const seen = { loop: "l", item: "i", agent: "claude", role: "fixer", event } as never;
    expect(activityOf("p-1", seen)).toEqual({
      ...{ type: "loop:activity", project: "p-1", loop: "l", item: "i" },
      payload: { agent: "claude", role: "fixer", ...payload },
    });
  });
});

describe("the last messages", () => {
  const frame = (seq: number, part = 0, opened = "{") => ({ seq, part, project: "p", loop: "l", item: "i", opened });
  const seqs = (frames: { seq: number; part: number }[] | null) => frames?.map(({ seq, part }) => `${seq}.${part}`);

  test("are given from any place after the first, and not from before", () => {
    const recent = new Recent(3);
    for (const [seq, part] of [
      [4, 0],
      [4, 1],
      [6, 0],
      [6, 1],
    ] as const)
      recent.add(frame(seq, part));
    const from = (seq: number, part: number) => seqs(recent.after({ seq, part }, 10));
    expect(from(2, 0)).toBeUndefined();
    expect(from(3, 0)).toBeUndefined();
    expect(from(3, 1_000_000)).toEqual(["4.0", "4.1", "6.0", "6.1"]);
    expect(from(4, 0)).toEqual(["4.1", "6.0", "6.1"]);
    expect(from(5, 0)).toEqual(["6.0", "6.1"]);
    expect(from(6, 1)).toEqual([]);
    expect(seqs(recent.after({ seq: 4, part: 0 }, 1))).toEqual(["4.1"]);
  });

  test.for([
    { what: "many", count: 20_000, size: 1 },
    { what: "large", count: 50, size: 1024 * 1024 },
  ])("do not fill the memory where they are $what", ({ count, size }) => {
    const recent = new Recent(0);
    for (let seq = 1; seq <= count; seq += 1) recent.add(frame(seq, 0, "x".repeat(size)));
    let first = count;
    while (recent.after({ seq: first - 1, part: 0 }, 1) !== null) first -= 1;
    expect((count - first) * size).toBeLessThanOrEqual(8 * 1024 * 1024);
    expect(count - first).toBeLessThanOrEqual(8_000);
    expect(seqs(recent.after({ seq: first, part: 0 }, count))).toHaveLength(count - first);
  });
});
