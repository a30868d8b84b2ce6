import { isAtRest } from "@anneal/core";
import type { ActiveStage, LoopEvent, LoopState } from "@anneal/types";
import type { Engine } from "./engine.ts";

/** The stages that somebody works in; what the forge reports reaches a loop like a person's signal. */
type WorkStage = Exclude<ActiveStage, "awaiting-feedback">;

/** What each stage does: it acts, and says what happened. */
export type StageWork = {
  [S in WorkStage]: (state: Extract<LoopState, { stage: S }>, signal: AbortSignal, turn: number) => Promise<LoopEvent>;
};

/** Runs a loop until it has ended, or waits for a person or for the forge. */
export async function drive(engine: Engine, from: LoopState, work: StageWork): Promise<LoopState> {
  let state = from;
  for (;;) {
    const signalled = await engine.signal(state);
    if (signalled !== null) {
      state = signalled;
      continue;
    }
    if (!isActive(state)) return state;
    if (state.notBefore !== null) await engine.sleep(state.notBefore);
    const active = state;
    state = await engine.step(active, (signal, turn) => act(work, active, signal, turn));
  }
}

type Active = LoopState & { stage: WorkStage };

function isActive(state: LoopState): state is Active {
  return !isAtRest(state.stage);
}

function act(work: StageWork, state: Active, signal: AbortSignal, turn: number): Promise<LoopEvent> {
  switch (state.stage) {
    case "implementing":
      return work.implementing(state, signal, turn);
    case "validating":
      return work.validating(state, signal, turn);
    case "committing":
      return work.committing(state, signal, turn);
    case "reviewing":
      return work.reviewing(state, signal, turn);
    case "fixing":
      return work.fixing(state, signal, turn);
    case "opening-pr":
      return work["opening-pr"](state, signal, turn);
    case "merging":
      return work.merging(state, signal, turn);
  }
}
