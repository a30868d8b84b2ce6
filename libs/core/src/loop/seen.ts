import type { LoopState, Seen, SignalName } from "@anneal/types";
import { roundsDone } from "./rounds.ts";

/** What there is to look at in a loop as it stands. */
export function seenIn(loop: string, state: LoopState): Seen {
  return { loop, head: state.head, round: roundsDone(state), feedback: state.feedbackCycles };
}

/** These decide nothing about the change: whoever wants it to stop wants that all the more when it has moved on. */
const HALTS: readonly SignalName[] = ["pause", "stop"];

export function isAboutTheChange(signal: SignalName): boolean {
  return !HALTS.includes(signal);
}

/** Why a signal does not apply to what the loop has become since somebody looked, or null if it does. */
export function outdated(state: LoopState, signal: SignalName, seen: Seen): string | null {
  const now = seenIn(seen.loop, state);
  const same = seen.head === now.head && seen.round === now.round && seen.feedback === now.feedback;
  if (same || !isAboutTheChange(signal)) return null;
  return `${signal} was meant for ${describeSeen(seen)}, and the loop is now at ${describeSeen(now)}: check the new state, then send ${signal} again`;
}

/** As in: d67c55b after round 2. */
export function describeSeen({ head, round, feedback }: Seen): string {
  const commit = head === null ? "no commit" : head.slice(0, 7);
  const reviews = round === 0 ? "before any review" : `after round ${round}`;
  const answers = feedback === 0 ? "" : ` and ${feedback} ${feedback === 1 ? "answer" : "answers"} to feedback`;
  return `${commit} ${reviews}${answers}`;
}
