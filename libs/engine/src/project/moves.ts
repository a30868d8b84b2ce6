import { whyIllegal } from "@anneal/adapters/features";
import { signalOfMove } from "@anneal/core";
import type { FeatureStatus, PipelineStep, SignalName } from "@anneal/types";
import type { LoopHistory } from "./loop-history.ts";

/** What a person means by dropping a card on a column: a word to its loop, the start of one, or a mark in its file. */
export type Meaning =
  | { means: "signal"; signal: SignalName }
  | { means: "start" }
  | { means: "mark" }
  | { refused: string };

export interface Card {
  kind: string;
  column: FeatureStatus;
  damaged: string | null;
  /** Of its open or last loop. */
  history: Pick<LoopHistory, "policy" | "state"> | null;
  /** The project's own, in order. */
  steps: readonly Pick<PipelineStep, "id">[];
}

const STARTS_FROM: readonly string[] = ["backlog", "waiting_approval"];

export function meaningOfMove(card: Card, to: FeatureStatus): Meaning {
  const { kind, column, damaged, history, steps } = card;
  if (to === column) return { refused: `it is in ${to} already` };
  if (history !== null && history.state.stage !== "ended") {
    const move = signalOfMove(history.policy, history.state, to);
    return "signal" in move ? { means: "signal", signal: move.signal } : move;
  }
  if (damaged !== null) return { refused: `its file has to be mended first: ${damaged}` };
  if (kind !== "feature") return meaningForOthers(column, to);
  const illegal = whyIllegal(column, to, { by: "person", steps });
  if (illegal !== null) return { refused: illegal };
  return { means: to === "in_progress" ? "start" : "mark" };
}

/** The files of tickets, stories and units say what their loops did, so nobody marks them by hand. */
function meaningForOthers(column: FeatureStatus, to: FeatureStatus): Meaning {
  if (to === "in_progress" && STARTS_FROM.includes(column)) return { means: "start" };
  const possible = STARTS_FROM.includes(column) ? "in_progress" : "nothing";
  return { refused: `only its loop moves it there, and none is open; possible now: ${possible}` };
}
