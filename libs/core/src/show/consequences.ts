import type { ApiSignal, FeatureStatus, ItemRef, LoopState, Policy, SignalName } from "@anneal/types";
import { refusal } from "../loop/signals.ts";

/** What each signal leads to, in one sentence, whoever shows it. */
const CONSEQUENCES: Record<SignalName, string> = {
  approve: "The result is taken as it is, and the loop goes on to its delivery or its end.",
  accept: "The loop ends with its open findings, on your word.",
  refine: "The fixer works on it once more, with a fresh set of rounds.",
  ready: "People are asked to review the pull request.",
  retry: "The stage that stopped is tried once more.",
  resume: "The work goes on where it stopped; after the last round with a fresh set of rounds.",
  "one-more": "One more fix and one more review are granted.",
  "take-over": "The loop ends, and the work is yours from here.",
  skip: "A draft pull request is opened that is marked NOT REVIEWED.",
  pause: "The agent that works now is stopped, and the loop waits for you.",
  stop: "The loop ends here.",
};

/** What is special about a kind of item. */
const OF_KINDS: Partial<Record<ItemRef["kind"], Partial<Record<SignalName, string>>>> = {
  feature: { stop: "The loop ends, and the feature goes back to the backlog." },
  branch: {
    approve: "The result is taken as it is; the branch stays where it stands.",
    skip: "The loop ends without a review; nothing is pushed.",
    stop: "The loop ends; the branch stays where it stands.",
  },
  story: {
    accept: "The story is done with its open findings, on your word; what must not be published is not pushed.",
    "take-over": "The loop ends, the story is blocked, and the work is yours from here.",
    stop: "The loop ends; the story is pending again, and its work is kept.",
  },
  ticket: { stop: "The loop ends, and the ticket has failed." },
  unit: { stop: "The loop ends; the unit is pending again, and its branch stays where it stands." },
  epic: { stop: "The merging ends; what is merged stays merged." },
};

/** The word that takes another back without a loss, if there is one. All others cost a round, publish something or end the loop. */
function undoing(signal: SignalName, state: LoopState): SignalName | null {
  if (signal === "pause") return "resume";
  const wasPaused = state.stage === "waiting-for-human" && state.reason === "paused";
  return signal === "resume" && wasPaused ? "pause" : null;
}

/** Words whose note reaches an agent. */
const TAKES_NOTE: readonly SignalName[] = ["refine", "resume", "one-more", "retry"];

const ORDER: readonly SignalName[] = [
  "approve",
  "accept",
  "refine",
  "ready",
  "retry",
  "resume",
  "one-more",
  "take-over",
  "skip",
  "pause",
  "stop",
];

export function consequenceOf(kind: ItemRef["kind"], state: LoopState, signal: SignalName): ApiSignal {
  const undoneBy = undoing(signal, state);
  return {
    signal,
    consequence: OF_KINDS[kind]?.[signal] ?? CONSEQUENCES[signal],
    undoable: undoneBy !== null,
    undoneBy,
    takesNote: TAKES_NOTE.includes(signal),
  };
}

/** Everything that a person may say to a loop now, and what it leads to. */
export function signalsFor(kind: ItemRef["kind"], policy: Policy, state: LoopState): ApiSignal[] {
  return ORDER.filter((signal) => refusal(policy, state, signal) === null).map((signal) =>
    consequenceOf(kind, state, signal),
  );
}

/** What a move on the board leads to, and whether another move or word takes it back. */
export type MoveEffect = Pick<ApiSignal, "consequence" | "undoable">;

/** A move that is a word to the loop leads where the word leads. */
export function effectOfWord(kind: ItemRef["kind"], state: LoopState, signal: SignalName): MoveEffect {
  const { consequence, undoable } = consequenceOf(kind, state, signal);
  return { consequence, undoable };
}

/** Stopped again, work is back in the backlog: only what came from there is where it was. */
export function effectOfStart(from: FeatureStatus): MoveEffect {
  return { consequence: "A loop starts, and an agent works on it.", undoable: from === "backlog" };
}

const MARKS: Partial<Record<FeatureStatus, string>> = {
  backlog: "It waits in the backlog until it is started again.",
  verified: "It counts as verified on your word, without a review.",
  completed: "It counts as done on your word; nothing is merged.",
};

/** A mark in the item's file, which only people set. */
export function effectOfMark(to: FeatureStatus, isUndoable: boolean): MoveEffect {
  return { consequence: MARKS[to] ?? "Its file says so from now on; no loop runs.", undoable: isUndoable };
}
