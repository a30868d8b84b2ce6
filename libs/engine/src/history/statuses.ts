import { advance, featureStatus, start } from "@anneal/core";
import type { FeatureStatus, LoopState } from "@anneal/types";
import type { LoopHistory } from "./loop-history.ts";

/**
 * Every status that a feature's file can hold by our own doing: the one that was written last, and those that the log has had
 * since and that are still to be written. Null before the first was written: the file then holds what it held before the loop.
 */
export function statusesSinceWritten(
  { events, policy }: Pick<LoopHistory, "events" | "policy">,
  writtenSeq: number,
): ReadonlySet<FeatureStatus> | null {
  const statuses = new Set<FeatureStatus>();
  let state: LoopState | null = null;
  let written = false;
  for (const { seq, event } of events) {
    if (event.type === "loop-started") state = start(event);
    else if (state !== null) state = advance(policy, state, event);
    if (state === null) continue;
    if (seq <= writtenSeq) {
      statuses.clear();
      written = true;
    }
    statuses.add(featureStatus(state));
  }
  return written ? statuses : null;
}
