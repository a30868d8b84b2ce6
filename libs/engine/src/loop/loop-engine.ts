import type { Clock } from "@anneal/adapters";
import {
  advance,
  deadlineOf,
  ignoredFeedback,
  isReplayLost,
  listens,
  mayBeHeld,
  refusal,
  roundsDone,
  start,
} from "@anneal/core";
import { believable } from "@anneal/core/agents";
import type { ActiveStage, LoopEvent, LoopState, Policy, Usage } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { AgentFailed, Misconfigured } from "../errors/errors.ts";
import type { Engine, ExternalEvent, StepWork } from "./engine.ts";
import { isLasting } from "./lasting.ts";
import type { Recorder } from "./recorder.ts";
import { timeLeft } from "./time-left.ts";

type Started = Extract<LoopEvent, { type: "loop-started" }>;

/** Where a loop remembers. A call returns when what it was given is safe. */
export interface LoopLog {
  append(event: LoopEvent, state: LoopState, taking?: string): void;
  /** The words for this loop that nobody has taken yet, oldest first, each with the id of its message. */
  words(): { message: string; word: ExternalEvent }[];
  /** Ends a message that changed nothing, and why. */
  refuse(message: string, reason: string): void;
}

export interface LoopEngineArgs {
  policy: Policy;
  log: LoopLog;
  clock: Clock;
  /** Ends everything: the process is shutting down. */
  shutdown: AbortSignal;
  /** Keeps what is seen of the agents in each attempt. */
  recorder?: Pick<Recorder, "begin" | "end" | "drop">;
  /** Takes out of an event what nobody may read, before it counts. */
  clean?: <E extends LoopEvent>(event: E) => E;
  /** Called after each event is safe: projections, progress, the bus. */
  onEvent?: (event: LoopEvent, before: LoopState | null, after: LoopState) => void;
}

/** The loop was stopped between two events because the process ends; it goes on at the next start. */
export class Parked extends Error {
  override readonly name = "Parked";
}

const RESULTS: Partial<Record<LoopEvent["type"], ActiveStage>> = {
  implemented: "implementing",
  validated: "validating",
  reviewed: "reviewing",
  fixed: "fixing",
};

/** Runs one loop on a log: the engine port over anything that can append. */
export class LoopEngine implements Engine {
  readonly #args: LoopEngineArgs;
  readonly #turns = new Map<string, number>();
  #attempt = 0;
  #interrupt = new AbortController();

  constructor(args: LoopEngineArgs) {
    this.#args = args;
  }

  /** Remembers the first event of a new loop. */
  begin(said: Started): LoopState {
    const event = this.#cleaned(said);
    const state = start(event);
    this.#remember(event, null, state);
    return state;
  }

  /** Goes through a log that is there already, and gives the state that it leads to: waiting for a person, where the rules of today lead elsewhere. */
  resume(first: Started, rest: Iterable<{ event: LoopEvent; stage: LoopState["stage"] }>): LoopState {
    let state = start(first);
    let differs: string | null = null;
    for (const { event, stage } of rest) {
      state = advance(this.#args.policy, state, event);
      differs = differenceAfter(differs, event, stage, state);
      this.#count(event);
    }
    if (differs === null) return state;
    return this.#take({ type: "replay-differed", at: this.#args.clock.now(), detail: differs }, state);
  }

  async step(state: LoopState & { stage: ActiveStage }, work: StepWork): Promise<LoopState> {
    const { clock, shutdown } = this.#args;
    const intended = { type: "intended", at: clock.now(), stage: state.stage, attempt: this.#attempt + 1 } as const;
    let current = this.#take(intended, state);
    this.#interrupt = new AbortController();
    const signal = AbortSignal.any([shutdown, this.#interrupt.signal]);
    const event = await this.#recorded(state, work, signal);
    current = this.#take(event, current);
    if (shutdown.aborted) throw new Parked("the process is shutting down");
    return current;
  }

  async sleep(untilMs: number): Promise<void> {
    const { clock, shutdown } = this.#args;
    this.#interrupt = new AbortController();
    const signal = AbortSignal.any([shutdown, this.#interrupt.signal]);
    await clock.sleep(Math.max(0, untilMs - clock.now()), signal).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
    if (shutdown.aborted) throw new Parked("the process is shutting down");
  }

  async signal(state: LoopState): Promise<LoopState | null> {
    const { log, policy } = this.#args;
    for (const { message, word } of log.words()) {
      const reason = refusedNow(policy, state, word);
      if (reason === null) return this.#take(word, state, message);
      log.refuse(message, reason);
    }
    return null;
  }

  /** A signal came: the work under way is aborted, so that the signal can be applied. */
  interrupt(): void {
    this.#interrupt.abort();
  }

  async #recorded(state: LoopState & { stage: ActiveStage }, work: StepWork, signal: AbortSignal): Promise<LoopEvent> {
    const { recorder } = this.#args;
    recorder?.begin(state.stage, (this.#turns.get(state.stage) ?? 0) + 1, roundsDone(state) + 1);
    const event = await this.#attemptWork(state, work, signal);
    if (!("usage" in event)) {
      recorder?.drop();
      return event;
    }
    const transcript = recorder?.end() ?? null;
    return transcript === null ? event : { ...event, transcript };
  }

  async #attemptWork(
    state: LoopState & { stage: ActiveStage },
    work: StepWork,
    signal: AbortSignal,
  ): Promise<LoopEvent> {
    const { clock, policy } = this.#args;
    const { stage } = state;
    const deadline = deadlineOf(policy, state);
    using time = timeLeft(clock, deadline);
    const cutOff = (usage: Usage): LoopEvent => {
      if (signal.aborted) return { type: "abandoned", at: clock.now(), stage };
      const reason = "stopped: the loop has used up its time";
      // A timer may be a moment early; what it says is that the time is used up.
      return { type: "broke", at: Math.max(clock.now(), deadline ?? 0), usage, stage, reason, outOfTime: true };
    };
    const ended = AbortSignal.any([signal, time.over]);
    try {
      if (time.over.aborted) return cutOff({});
      const event = await work(ended, (this.#turns.get(stage) ?? 0) + 1);
      // Work that was cut off may come back as a review that says nothing; work that was done is done.
      const isNothing = event.type === "broke" || (event.type === "reviewed" && event.report.status === "inconclusive");
      return isNothing && ended.aborted ? cutOff(event.usage) : event;
    } catch (error) {
      const usage = error instanceof AgentFailed ? error.usage : {};
      if (ended.aborted) return cutOff(usage);
      const reason = errorMessage(error);
      const wrong = error instanceof Misconfigured ? { misconfigured: error.setting } : {};
      const lasting = isLasting(error) ? ({ lasting: true } as const) : {};
      return { type: "broke", at: clock.now(), usage, stage, reason, ...lasting, ...wrong };
    }
  }

  #take(said: LoopEvent, before: LoopState, taking?: string): LoopState {
    const event = this.#cleaned(said);
    const after = advance(this.#args.policy, before, event);
    this.#remember(event, before, after, taking);
    return after;
  }

  #cleaned<E extends LoopEvent>(event: E): E {
    const cleaned = this.#args.clean?.(event) ?? event;
    return "usage" in cleaned ? { ...cleaned, usage: believable(cleaned.usage) } : cleaned;
  }

  #remember(event: LoopEvent, before: LoopState | null, after: LoopState, taking?: string): void {
    this.#args.log.append(event, after, taking);
    this.#count(event);
    this.#args.onEvent?.(event, before, after);
  }

  #count(event: LoopEvent): void {
    if (event.type === "intended") this.#attempt = event.attempt;
    else if (event.type !== "abandoned") this.#attempt = 0;
    const stage = event.type === "broke" ? event.stage : RESULTS[event.type];
    if (stage !== undefined) this.#turns.set(stage, (this.#turns.get(stage) ?? 0) + 1);
  }
}

/** What is wrong with a replay that has come this far, in words; null where nothing is, or a person was already asked about it. */
export function differenceAfter(
  before: string | null,
  event: LoopEvent,
  stage: LoopState["stage"],
  state: LoopState,
): string | null {
  if (event.type === "replay-differed") return null;
  if (state.stage === stage) return before;
  return before ?? `the log has ${stage} after ${event.type}, but the current rules lead to ${state.stage}`;
}

/** Why an event changes nothing now. What the forge sent to a loop that could not listen comes again at the next poll. */
function refusedNow(policy: Policy, state: LoopState, word: ExternalEvent): string | null {
  if (isReplayLost(state) && word.type !== "signalled")
    return "the log of this loop does not fit the current rules; possible: stop";
  switch (word.type) {
    case "signalled":
      return refusal(policy, state, word.signal, word.seen);
    case "feedback-received":
      return ignoredFeedback(state, word);
    case "delivery-held":
      return mayBeHeld(state, word) ? null : `the loop takes no message while ${state.stage}`;
    case "merge-conflicted":
      return listens(state) ? null : `the loop takes no message while ${state.stage}`;
    case "finding-disposed":
      return null;
  }
}
