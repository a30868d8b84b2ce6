import type { BoardStatus, FeatureStatus, LoopState, Policy, SignalName } from "@anneal/types";
import { heed, refusal } from "../loop/signals.ts";
import { featureStatus } from "./feature-status.ts";

/** A column of the board; all steps of a custom pipeline are alike here. */
type Column = BoardStatus | "pipeline";

/**
 * What a person can mean by moving a feature into a column, likeliest first.
 * Skipping a review, accepting open findings and taking over are decisions that nobody should make by moving a card.
 */
const MEANINGS: Record<Column, readonly SignalName[]> = {
  backlog: ["stop"],
  in_progress: ["resume", "retry", "refine"],
  code_review: ["resume", "retry", "refine"],
  waiting_approval: ["resume", "retry"],
  verified: ["approve", "resume", "retry"],
  completed: [],
  pipeline: ["resume", "retry"],
};

/** Why only the loop does it, where no word of a person leads there. */
const LOOP_ONLY: Record<Column, string> = {
  backlog: "the loop cannot be stopped now",
  in_progress: "there is nothing left to work on; use refine with a note that says what is missing",
  code_review: "only the loop moves the card there, when its work is committed",
  waiting_approval: "only the loop moves the card there, after the review",
  verified: "only an approval moves the card there",
  completed: "only a merge moves the card there",
  pipeline: "only the loop moves the card through the steps of the pipeline, after the review",
};

export type MeantMove = { signal: SignalName } | { refused: string };

/** Reads a move on the board as a word to the loop: the first that is legal now and leads where the person wants it. */
export function signalOfMove(policy: Policy, state: LoopState, wanted: FeatureStatus): MeantMove {
  if (state.stage === "ended") return { refused: "the loop has ended" };
  const working = state.stage !== "waiting-for-human";
  if (working && featureStatus(state) === wanted) return { refused: `it is in ${wanted} already` };
  const signal = meaningOf(policy, state, wanted);
  return signal === undefined ? { refused: whyNot(policy, state, wanted) } : { signal };
}

function meaningOf(policy: Policy, state: LoopState, wanted: FeatureStatus): SignalName | undefined {
  const legal = MEANINGS[columnOf(wanted)].filter((signal) => refusal(policy, state, signal) === null);
  // Work that waits is resumed, whatever it goes on with; a result that waits is not worked on for nothing.
  if (wanted === "in_progress" && isHeldUp(state)) return legal[0];
  return legal.find((signal) => leadsTo(policy, state, signal) === wanted);
}

/** Whether the loop waits in the middle of its work, rather than with a result. */
function isHeldUp(state: LoopState): boolean {
  return state.stage === "waiting-for-human" && featureStatus(state) !== "waiting_approval";
}

function leadsTo(policy: Policy, state: LoopState, signal: SignalName): FeatureStatus {
  const word = { type: "signalled", id: "move", at: state.lastAt, signal, by: "a move" } as const;
  return featureStatus(heed(policy, state, word));
}

function whyNot(policy: Policy, state: LoopState, wanted: FeatureStatus): string {
  const place = state.stage === "waiting-for-human" ? `it waits (${state.reason})` : `the loop is ${state.stage}`;
  const others = COLUMNS.filter((column) => column !== featureStatus(state));
  const possible = others.filter((column) => meaningOf(policy, state, column) !== undefined);
  return `${place}, and ${LOOP_ONLY[columnOf(wanted)]}; possible now: ${possible.join(", ") || "nothing"}`;
}

const COLUMNS = Object.keys(MEANINGS).filter((column): column is BoardStatus => column !== "pipeline");

function columnOf(status: FeatureStatus): Column {
  return isBoardStatus(status) ? status : "pipeline";
}

function isBoardStatus(status: FeatureStatus): status is BoardStatus {
  return !status.startsWith("pipeline_");
}
