import { describeSeen, isAboutTheChange } from "@anneal/core/seen";
import type { ApiLoopState, SignalName } from "@anneal/types";
import { words } from "../board-view/constants.ts";

type Shown = Pick<ApiLoopState, "stage" | "reason" | "seen">;

/** What has become of a loop since it was looked at, for whoever is about to say a word about it; null where that is nothing. */
export function changedSince(then: Shown, now: Shown, signal: SignalName): string | null {
  if (!isAboutTheChange(signal)) return null;
  const [was, is] = [describeSeen(then.seen), describeSeen(now.seen)];
  if (was !== is) return told(was, is);
  const moved = then.stage !== now.stage || then.reason !== now.reason;
  return moved ? told(standing(then), standing(now)) : null;
}

function told(was: string, is: string): string {
  return `This changed while you looked: it was ${was}, and is ${is} now. Close this, look at it again, and say it anew.`;
}

function standing({ stage, reason }: Shown): string {
  return words(reason === null ? stage : `${stage} (${reason})`);
}
