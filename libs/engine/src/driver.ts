import type { Clock } from "@anneal/adapters";
import { advance, start } from "@anneal/core";
import type { ActiveStage, LoopEvent, LoopState } from "@anneal/types";

type Started = Extract<LoopEvent, { type: "loop-started" }>;

/** Where a loop remembers. Appending returns when the event is safe. */
export interface Log {
  append(event: LoopEvent): Promise<void>;
}

/** What each stage does: it acts, and says what happened. */
export type StageWork = {
  [S in ActiveStage]: (state: Extract<LoopState, { stage: S }>, signal: AbortSignal) => Promise<LoopEvent>;
};

export interface DriveArgs {
  started: Started;
  work: StageWork;
  log: Log;
  clock: Clock;
  signal: AbortSignal;
  onStep?: (event: LoopEvent, state: LoopState) => void;
}

/** Runs a loop until it has ended or waits for a person: remember, act, remember, decide. */
export async function drive({ started, work, log, clock, signal, onStep }: DriveArgs): Promise<LoopState> {
  const { policy } = started;
  await log.append(started);
  let state = start(started);
  onStep?.(started, state);
  for (let attempt = 1; state.stage !== "ended" && state.stage !== "waiting-for-human"; ) {
    const { stage, notBefore } = state;
    if (notBefore !== null) await clock.sleep(Math.max(0, notBefore - clock.now()), signal);
    await log.append({ type: "intended", at: clock.now(), stage, attempt });
    const event = await attemptStage(work, state, clock, signal);
    await log.append(event);
    state = advance(policy, state, event);
    attempt = state.stage === stage ? attempt + 1 : 1;
    onStep?.(event, state);
    signal.throwIfAborted();
  }
  return state;
}

/** Whatever a stage throws is a break of that stage: it is recorded and retried like any other. */
async function attemptStage(
  work: StageWork,
  state: Exclude<LoopState, { stage: "ended" | "waiting-for-human" }>,
  clock: Clock,
  signal: AbortSignal,
): Promise<LoopEvent> {
  try {
    return await run(work, state, signal);
  } catch (error) {
    if (signal.aborted) return { type: "abandoned", at: clock.now(), stage: state.stage };
    const reason = error instanceof Error ? error.message : String(error);
    return { type: "broke", at: clock.now(), usage: {}, stage: state.stage, reason };
  }
}

function run(
  work: StageWork,
  state: Exclude<LoopState, { stage: "ended" | "waiting-for-human" }>,
  signal: AbortSignal,
): Promise<LoopEvent> {
  switch (state.stage) {
    case "implementing":
      return work.implementing(state, signal);
    case "validating":
      return work.validating(state, signal);
    case "committing":
      return work.committing(state, signal);
    case "reviewing":
      return work.reviewing(state, signal);
    case "fixing":
      return work.fixing(state, signal);
    case "opening-pr":
      return work["opening-pr"](state, signal);
    case "awaiting-feedback":
      return work["awaiting-feedback"](state, signal);
    case "merging":
      return work.merging(state, signal);
  }
}
