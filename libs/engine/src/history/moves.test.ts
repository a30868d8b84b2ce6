import { POLICIES, start } from "@anneal/core";
import type { FeatureStatus } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { type Card, meaningOfMove } from "./moves.ts";

const working = start({
  type: "loop-started",
  at: 1,
  loopId: "l",
  item: { kind: "feature", id: "f" },
  policy: POLICIES.gate,
  because: "a test",
  agents: { implementer: "nobody", reviewer: "builtin", fixer: "builtin" },
  promptsHash: "h",
  base: "b",
  head: null,
  needsApproval: false,
  steps: [],
});
const ended = { ...working, stage: "ended", outcome: "failed", detail: "" } as const;
const history = (state: NonNullable<Card["history"]>["state"]) => ({ policy: POLICIES.gate, state });
const card: Card = { kind: "feature", column: "backlog", damaged: null, history: null, steps: [{ id: "docs" }] };

describe("dropping a card on a column means", () => {
  test.for<{ what: string; card: Partial<Card>; to: FeatureStatus; means: unknown }>([
    {
      what: "a new feature",
      card: {},
      to: "in_progress",
      means: { means: "start", consequence: expect.stringMatching(/Starts a loop/), undoable: true },
    },
    { what: "a new feature", card: {}, to: "verified", means: { refused: expect.stringContaining("in_progress") } },
    { what: "a new feature", card: {}, to: "backlog", means: { refused: "the card is already in backlog" } },
    {
      what: "a feature that a person verifies",
      card: { column: "waiting_approval" },
      to: "verified",
      means: { means: "mark", consequence: expect.stringMatching(/by hand/), undoable: false },
    },
    {
      what: "a verified feature that a person completes",
      card: { column: "verified" },
      to: "completed",
      means: { means: "mark", consequence: expect.stringMatching(/nothing is merged/), undoable: true },
    },
    {
      what: "a feature whose loop failed",
      card: { column: "in_progress", history: history(ended) },
      to: "backlog",
      means: { means: "mark", consequence: expect.stringMatching(/until it is started again/), undoable: false },
    },
    {
      what: "a feature that is worked on",
      card: { column: "in_progress", history: history(working) },
      to: "backlog",
      means: { means: "signal", signal: "stop", consequence: expect.stringMatching(/Ends the loop/), undoable: false },
    },
    {
      what: "a feature that is worked on",
      card: { column: "in_progress", history: history(working) },
      to: "verified",
      means: { refused: expect.stringMatching(/verified by an approval.*possible now: backlog/) },
    },
    {
      what: "a damaged feature",
      card: { damaged: "line 3" },
      to: "in_progress",
      means: { refused: "the file of this item is damaged, fix it first: line 3" },
    },
    {
      what: "a damaged feature that is worked on",
      card: { damaged: "line 3", column: "in_progress", history: history(working) },
      to: "backlog",
      means: { means: "signal", signal: "stop", consequence: expect.stringMatching(/Ends the loop/), undoable: false },
    },
    {
      what: "a new story",
      card: { kind: "story" },
      to: "in_progress",
      means: expect.objectContaining({ means: "start", undoable: true }),
    },
    {
      what: "a failed ticket",
      card: { kind: "ticket", column: "waiting_approval", history: history(ended) },
      to: "in_progress",
      means: expect.objectContaining({ means: "start", undoable: false }),
    },
    {
      what: "a completed unit",
      card: { kind: "unit", column: "completed" },
      to: "in_progress",
      means: { refused: expect.stringContaining("possible now: nothing") },
    },
    {
      what: "a new story",
      card: { kind: "story" },
      to: "completed",
      means: { refused: expect.stringContaining("possible now: in_progress") },
    },
  ])("$what to $to", ({ card: given, to, means }) => {
    expect(meaningOfMove({ ...card, ...given }, to)).toEqual(means);
  });
});
