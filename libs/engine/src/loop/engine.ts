import type { ActiveStage, LoopEvent, LoopState } from "@anneal/types";

/** What is sent to a loop: a person's signal, a decision about one of its findings, or news from the forge. */
export type ExternalEvent = Extract<
  LoopEvent,
  { type: "signalled" | "finding-disposed" | "feedback-received" | "delivery-held" | "merge-conflicted" }
>;

/** Work of a stage. `turn` counts the finished runs of this stage in this loop, from 1: a repeated run keeps its number. */
export type StepWork = (signal: AbortSignal, turn: number) => Promise<LoopEvent>;

/** All that a loop needs of a durable engine. What it returns is on record; after a crash the loop goes on from there. */
export interface Engine {
  /** Remembers the attempt, does the work, remembers the result, and returns the state that it leads to. */
  step(state: LoopState & { stage: ActiveStage }, work: StepWork): Promise<LoopState>;
  /** Waits until a moment, or until somebody says something. */
  sleep(untilMs: number): Promise<void>;
  /** Takes the next pending event, if it changes anything; null when there is none. */
  signal(state: LoopState): Promise<LoopState | null>;
}
