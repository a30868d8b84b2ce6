import type { ApiSignal, FeatureStatus, ItemRef, LoopState, Policy, SignalName } from "@anneal/types";
import { refusal } from "../loop/signals.ts";

/** What each signal leads to, in one sentence, whoever shows it. */
const CONSEQUENCES: Record<SignalName, string> = {
  approve: "Accepts the result as it is; the loop continues to delivery, or ends.",
  accept: "Ends the loop and accepts its open findings.",
  refine: "Sends the change back to the fixer, with new rounds.",
  ready: "Asks people to review the pull request.",
  retry: "Runs the current stage again.",
  resume: "Continues where the loop stopped, with new rounds if none are left.",
  "one-more": "Allows one more fix and one more review.",
  "take-over": "Ends the loop. You continue by hand.",
  skip: "Opens a draft pull request marked NOT REVIEWED.",
  pause: "Stops the running agent; the loop waits for you.",
  stop: "Ends the loop.",
};

/** What is special about a kind of item. */
const OF_KINDS: Partial<Record<ItemRef["kind"], Partial<Record<SignalName, string>>>> = {
  feature: { stop: "Ends the loop; the feature goes back to the backlog." },
  branch: {
    approve: "Accepts the result as it is; the branch stays where it is.",
    skip: "Ends the loop without a review; nothing is pushed.",
    stop: "Ends the loop; the branch stays where it is.",
  },
  story: {
    accept: "Completes the story and accepts its open findings; it is not pushed while a finding forbids that.",
    "take-over": "Ends the loop and blocks the story. You continue by hand.",
    stop: "Ends the loop; the story is pending again, and its work is kept.",
  },
  ticket: { stop: "Ends the loop; the ticket fails." },
  unit: { stop: "Ends the loop; the unit is pending again, and its branch stays where it is." },
  epic: { stop: "Stops merging; merged tickets stay merged." },
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
  return { consequence: "Starts a loop; an agent begins to work.", undoable: from === "backlog" };
}

const MARKS: Partial<Record<FeatureStatus, string>> = {
  backlog: "The item stays in the backlog until somebody starts it again.",
  verified: "Marks the item as verified by hand, without a review.",
  completed: "Marks the item as done by hand; nothing is merged.",
};

/** A mark in the item's file, which only people set. */
export function effectOfMark(to: FeatureStatus, isUndoable: boolean): MoveEffect {
  return { consequence: MARKS[to] ?? "Only changes the file of the item; no loop runs.", undoable: isUndoable };
}
