import { whyIllegal } from "@anneal/adapters/features";
import { signalOfMove } from "@anneal/core";
import { effectOfMark, effectOfStart, effectOfWord, type MoveEffect } from "@anneal/core/show";
import type { FeatureStatus, ItemRef, PipelineStep, SignalName } from "@anneal/types";
import type { LoopHistory } from "./loop-history.ts";

/** What a person means by dropping a card on a column: a word to its loop, the start of one, or a mark in its file. */
export type MoveMeaning =
  | (({ means: "signal"; signal: SignalName } | { means: "start" } | { means: "mark" }) & MoveEffect)
  | { refused: string };

export interface Card {
  kind: ItemRef["kind"];
  column: FeatureStatus;
  damaged: string | null;
  /** Of its open or last loop. */
  history: Pick<LoopHistory, "policy" | "state"> | null;
  /** The project's own, in order. */
  steps: readonly Pick<PipelineStep, "id">[];
}

const STARTS_FROM: readonly string[] = ["backlog", "waiting_approval"];

export function meaningOfMove(card: Card, to: FeatureStatus): MoveMeaning {
  const { kind, column, damaged, history, steps } = card;
  if (to === column) return { refused: `the card is already in ${to}` };
  if (history !== null && history.state.stage !== "ended") {
    const move = signalOfMove(history.policy, history.state, to);
    if ("refused" in move) return move;
    return { means: "signal", signal: move.signal, ...effectOfWord(kind, history.state, move.signal) };
  }
  if (damaged !== null) return { refused: `the file of this item is damaged, fix it first: ${damaged}` };
  if (kind !== "feature") return meaningForOthers(column, to);
  const illegal = whyIllegal(column, to, { by: "person", steps });
  if (illegal !== null) return { refused: illegal };
  return to === "in_progress" ? { means: "start", ...effectOfStart(column) } : marked(card, to);
}

/** The way back has to be a mark too: a start brings nothing back. */
function marked({ column, steps }: Card, to: FeatureStatus): MoveMeaning {
  const isBack = column !== "in_progress" && whyIllegal(to, column, { by: "person", steps }) === null;
  return { means: "mark", ...effectOfMark(to, isBack) };
}

/** The files of tickets, stories and units say what their loops did, so nobody marks them by hand. */
function meaningForOthers(column: FeatureStatus, to: FeatureStatus): MoveMeaning {
  if (to === "in_progress" && STARTS_FROM.includes(column)) return { means: "start", ...effectOfStart(column) };
  const possible = STARTS_FROM.includes(column) ? "in_progress" : "nothing";
  return { refused: `only a running loop moves a card there, and this card has none; possible now: ${possible}` };
}
