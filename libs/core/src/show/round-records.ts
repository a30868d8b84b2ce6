import type { LoopEvent, LoopState, Policy, Round, TrackedFinding } from "@anneal/types";
import { advance, start } from "../loop/loop.ts";

type Of<T extends LoopEvent["type"]> = Extract<LoopEvent, { type: T }>;
type Worked = Of<"implemented" | "fixed">;

/** Work between two reviews: what agents did, what the checks said, and the commit that came of it. */
export interface Made {
  runs: (Worked & { turn: number })[];
  validation: (Of<"validated"> | Of<"commit-refused">)[];
  commit: string | null;
}

/** One review that came to a verdict, with all that the log tells around it. */
export interface RoundRecord {
  round: Round;
  review: Of<"reviewed"> & { turn: number };
  /** The head of the round before, or where the loop started. */
  since: string;
  /** Reviews of the same head without a result. */
  attempts: (Of<"broke" | "reviewed"> & { turn: number })[];
  made: Made;
  /** The findings of the loop as this review left them. */
  ledger: readonly TrackedFinding[];
}

/** A loop's log, cut at its reviews. */
export interface RoundRecords {
  rounds: RoundRecord[];
  /** What was done since the last of them. */
  since: Made;
  attempts: RoundRecord["attempts"];
}

/** Cuts a log into rounds. It must begin with a start; `policy` is the one that it names. */
export function roundRecords(policy: Policy, events: readonly LoopEvent[]): RoundRecords {
  const [first, ...rest] = events;
  if (first?.type !== "loop-started") return { rounds: [], since: nothing(), attempts: [] };
  const rounds: RoundRecord[] = [];
  const turns = new Map<string, number>();
  let state: LoopState = start(first);
  let made = nothing();
  let attempts: RoundRecord["attempts"] = [];
  for (const event of rest) {
    const before = state;
    state = advance(policy, state, event);
    const turn = turnOf(turns, event);
    const round = state.rounds.length > before.rounds.length ? state.rounds.at(-1) : undefined;
    if (event.type === "reviewed" && round !== undefined) {
      const since = rounds.at(-1)?.round.head ?? first.base;
      rounds.push({ round, review: { ...event, turn }, since, attempts, made, ledger: state.findings });
      made = nothing();
      attempts = [];
    } else if (event.type === "reviewed" || (event.type === "broke" && event.stage === "reviewing")) {
      attempts = [...attempts, { ...event, turn }];
    } else {
      made = withEvent(made, event, turn);
    }
  }
  return { rounds, since: made, attempts };
}

function nothing(): Made {
  return { runs: [], validation: [], commit: null };
}

function withEvent(made: Made, event: LoopEvent, turn: number): Made {
  switch (event.type) {
    case "implemented":
    case "fixed":
      return { ...made, runs: [...made.runs, { ...event, turn }] };
    case "validated":
    case "commit-refused":
      return { ...made, validation: [...made.validation, event] };
    case "committed":
      return { ...made, commit: event.head };
    default:
      return made;
  }
}

/** Which turn at its stage an event ends, counted as the engine counts them; 0 for events that end none. */
function turnOf(turns: Map<string, number>, event: LoopEvent): number {
  const stage = stageEndedBy(event);
  if (stage === null) return 0;
  const turn = (turns.get(stage) ?? 0) + 1;
  turns.set(stage, turn);
  return turn;
}

/** The stage whose turn an event ends. */
export function stageEndedBy(event: LoopEvent): string | null {
  if (event.type === "broke") return event.stage;
  return ENDS[event.type] ?? null;
}

const ENDS: Partial<Record<LoopEvent["type"], string>> = {
  implemented: "implementing",
  reviewed: "reviewing",
  fixed: "fixing",
};
