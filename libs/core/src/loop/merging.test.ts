import type { LoopEvent, LoopState } from "@anneal/types";
import { LoopState as LoopStateSchema } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { advance, start } from "./loop.ts";

const MERGES = [
  { id: "config", commit: "c1" },
  { id: "bucket", commit: "c2" },
  { id: "route", commit: "c3" },
];

/** A loop that only merges, after these events. */
function merging(events: LoopEvent[], merges = MERGES): LoopState {
  const first = start({
    type: "loop-started",
    at: 0,
    loopId: "epic:limits~1",
    item: { kind: "epic", id: "limits" },
    policy: POLICIES.scored,
    because: "every ticket is settled",
    agents: {},
    promptsHash: "",
    base: "base",
    head: null,
    needsApproval: false,
    steps: [],
    into: "epic/limits",
    merges,
  });
  return events.reduce((state, event) => advance(POLICIES.scored, state, event), first);
}

const merged = (commit: string): LoopEvent => ({ type: "merged", at: 1, commit });
const conflict: LoopEvent = { type: "merge-conflicted", at: 2, files: ["src/limits.ts"] };
const say = (signal: "retry" | "take-over" | "pause" | "resume"): LoopEvent => ({
  type: "signalled",
  at: 3,
  id: signal,
  signal,
  by: "ada",
});
const broke: LoopEvent = { type: "broke", at: 2, usage: {}, stage: "merging", reason: "the disk is full" };

describe("a loop that only merges", () => {
  test("starts with the first, goes on with the next, and ends with the last", () => {
    expect(merging([])).toMatchObject({ stage: "merging", head: "c1", merge: null });
    expect(merging([merged("m1")])).toMatchObject({ stage: "merging", head: "c2", merges: MERGES.slice(1) });
    expect(merging([merged("m1"), merged("m2"), merged("m3")])).toMatchObject({ stage: "ended", outcome: "merged" });
  });

  test("a conflict asks a person, names what was being merged, and a retry merges the same again", () => {
    const waiting = merging([merged("m1"), conflict]);
    expect(waiting).toMatchObject({
      stage: "waiting-for-human",
      reason: "merge-conflict",
      detail: "conflict in src/limits.ts, in the merge of bucket",
      options: ["retry", "take-over", "stop"],
    });
    expect(merging([merged("m1"), conflict, say("retry")])).toMatchObject({
      stage: "merging",
      head: "c2",
      merge: null,
    });
    expect(merging([merged("m1"), conflict, say("take-over")])).toMatchObject({ stage: "ended", outcome: "blocked" });
  });

  test("what is left survives a pause and a break", () => {
    for (const events of [[say("pause"), say("resume")], [broke]]) {
      const state = merging([merged("m1"), ...events]);
      expect(state).toMatchObject({ stage: "merging", head: "c2", merges: MERGES.slice(1) });
      expect(LoopStateSchema.parse(state)).toEqual(state);
    }
  });
});
