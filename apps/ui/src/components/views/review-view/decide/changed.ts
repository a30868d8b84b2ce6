import { describeSeen, isAboutTheChange } from "@anneal/core/seen";
import type { ApiLoopState, ApiMoves, Seen, SignalName } from "@anneal/types";
import { words } from "../../../ui/words.ts";

type Shown = Pick<ApiLoopState, "stage" | "reason" | "seen">;

/** What has become of a loop since it was looked at, for whoever is about to say a word about it; null where that is nothing. */
export function changedSince(then: Shown, now: Shown, signal: SignalName): string | null {
  if (!isAboutTheChange(signal)) return null;
  const [was, is] = [describeSeen(then.seen), describeSeen(now.seen)];
  if (was !== is) return told(was, is);
  const moved = then.stage !== now.stage || then.reason !== now.reason;
  return moved ? told(standing(then), standing(now)) : null;
}

/** The same for a card that is about to be moved. */
export function moveChangedSince({ to, seen }: { to: string; seen: Seen | null }, now: ApiMoves): string | null {
  const [was, is] = [ofLoop(seen), ofLoop(now.seen)];
  if (was !== is) return told(was, is);
  const meant = now.moves.find((one) => one.to === to);
  const refused = meant === undefined ? "the column does not exist any more" : meant.refused;
  return refused === null ? null : `The card cannot be moved to this column now: ${refused}.`;
}

function told(was: string, is: string): string {
  return `The loop changed while this dialog was open: it was ${was} and is now ${is}. Close the dialog, check the new state, and try again.`;
}

function standing({ stage, reason }: Shown): string {
  return words(reason === null ? stage : `${stage} (${reason})`);
}

function ofLoop(seen: Seen | null): string {
  return seen === null ? "without a loop" : `${describeSeen(seen)} (${seen.loop})`;
}
