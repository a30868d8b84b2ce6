import type { ApiLoopState, ApiMoves } from "@anneal/types";
import { expect, test } from "vitest";
import { changedSince, moveChangedSince } from "./changed.ts";

const seen = { loop: "f1~1", head: "d67c55b0123456789012345678901234567890ab", round: 2, feedback: 0 };
const shown = (over: Partial<ApiLoopState["seen"]> = {}, stage: Partial<ApiLoopState> = {}) => ({
  stage: "waiting-for-human" as const,
  reason: "ready-for-human" as const,
  seen: { ...seen, ...over },
  ...stage,
});

test.for([
  { what: "nothing", now: shown(), signal: "approve", told: null },
  {
    what: "the head",
    now: shown({ head: "a6b201e0123456789012345678901234567890ab" }),
    signal: "approve",
    told: "it was d67c55b after round 2 and is now a6b201e after round 2",
  },
  {
    what: "the round",
    now: shown({ round: 3 }),
    signal: "accept",
    told: "it was d67c55b after round 2 and is now d67c55b after round 3",
  },
  {
    what: "the feedback",
    now: shown({ feedback: 2 }),
    signal: "approve",
    told: "it was d67c55b after round 2 and is now d67c55b after round 2 and 2 answers to feedback",
  },
  {
    what: "the stage",
    now: shown({}, { stage: "fixing", reason: null }),
    signal: "approve",
    told: "it was waiting for human (ready for human) and is now fixing",
  },
  {
    what: "why it waits",
    now: shown({}, { reason: "paused" }),
    signal: "resume",
    told: "it was waiting for human (ready for human) and is now waiting for human (paused)",
  },
  { what: "everything, for a word that only stops", now: shown({ round: 9 }), signal: "stop", told: null },
] as const)("where $what has changed, $signal is told", ({ now, signal, told }) => {
  const sentence = `The loop changed while this dialog was open: ${told}. Close the dialog, check the new state, and try again.`;
  expect(changedSince(shown(), now, signal)).toBe(told === null ? null : sentence);
});

const moves = (over: Partial<ApiMoves["moves"][number]> = {}, now: ApiMoves["seen"] = seen): ApiMoves => {
  const meant = { means: "start", signal: null, consequence: "It is worked on anew.", undoable: false, refused: null };
  return {
    item: "f1",
    column: "waiting_approval",
    moves: [{ to: "in_progress", ...meant, ...over } as ApiMoves["moves"][number]],
    seen: now,
  };
};

test.for([
  { what: "nothing", now: moves(), told: null },
  {
    what: "the round",
    now: moves({}, { ...seen, round: 3 }),
    told: /it was d67c55b after round 2 .* and is now d67c55b after round 3/,
  },
  { what: "the loop", now: moves({}, { ...seen, loop: "f1~2" }), told: /\(f1~1\) and is now .* \(f1~2\)/ },
  { what: "that there is a loop", was: null, now: moves(), told: /it was without a loop and is now/ },
  {
    what: "what is possible",
    now: moves({ refused: "it is in in_progress already" }),
    told: /it is in in_progress already/,
  },
  { what: "the column", now: { ...moves(), moves: [] }, told: /the column does not exist any more/ },
])("where $what has changed, a move that was asked about is told", ({ was = seen, now, told }) => {
  const why = moveChangedSince({ to: "in_progress", seen: was }, now);
  if (told === null) expect(why).toBeNull();
  else expect(why).toMatch(told);
});
