import type { LoopEvent, LoopState, MergeConflict, Policy, WaitingMerge } from "@anneal/types";
import { dueAgain } from "./closing.ts";
import { DELIVERS, listens, unreviewedMark } from "./delivery.ts";
import { end, newCycle, shared, wait } from "./exits.ts";

type Of<T extends LoopEvent["type"]> = Extract<LoopEvent, { type: T }>;
type Merging = Extract<LoopState, { stage: "merging" }>;

/** On to the first of what waits to be merged, or null where nothing does. */
export function mergeNext(state: LoopState, merges: readonly WaitingMerge[] = []): Merging | null {
  const [first] = merges;
  if (first === undefined) return null;
  return { ...shared(state), stage: "merging", head: first.commit, merge: null, merges: [...merges], breaks: 0 };
}

export function merged(state: Merging, event: Of<"merged">): LoopState {
  return mergeNext(state, state.merges?.slice(1)) ?? end(state, "merged", mergedAs(event, state));
}

/** A conflict is reported where a merge meets it, and to a loop that listens, before anybody is asked to approve what cannot be merged. */
export function conflicted(policy: Policy, state: LoopState, { files, advice }: MergeConflict): LoopState {
  if (state.stage !== "merging" && state.stage !== "opening-pr" && !listens(state)) return state;
  const [under] = state.merges ?? [];
  const where = advice ?? (under === undefined ? null : `in the merge of ${under.id}`);
  const detail = `conflict in ${files.join(", ")}${where === null ? "" : `, ${where}`}`;
  const conflict = state.head === null ? {} : { conflict: state.head };
  const waiting = wait(policy, { ...state, ...conflict, breaks: 0 }, "merge-conflict", detail, ["retry", "take-over"]);
  if (state.stage === "merging") return waiting;
  // Once it is resolved, or gone by itself, the pull request is brought up to date and listened to again.
  return { ...waiting, backTo: "opening-pr", kept: { draft: state.pr?.draft === true } };
}

/** Whether commits on top of the head are a person's answer to a conflict: nothing of ours works there until they are taken. */
export function awaitsResolution(state: LoopState): boolean {
  const at = state.stage === "waiting-for-human" ? state.backTo : state.stage;
  return state.conflict !== undefined && state.conflict === state.head && DELIVERS.includes(at);
}

/** What a person made of it was never judged, whatever was approved before. */
export function resolved(state: LoopState, { base, head }: Of<"conflict-resolved">): LoopState {
  if (!awaitsResolution(state) || state.stage === "waiting-for-human") return state;
  const { conflict: _, ...rest } = shared(state);
  const fresh = { ...newCycle(state), ...dueAgain(state), attempt: null };
  return { ...rest, ...fresh, base, head, stage: "validating", of: "resolution" };
}

/** A merge stands whatever its checks say: they are reported to whoever owns the branch. */
function mergedAs({ commit, checks }: Of<"merged">, state: Merging): string {
  if (checks === undefined || checks.result === "not-configured") return `merged as ${commit}${unreviewedMark(state)}`;
  if (checks.result === "passed") return `merged as ${commit}; the merged tree passes its checks`;
  return `merged as ${commit}; the merged tree fails its checks: ${checks.findings[0]?.title || "no reason given"}`;
}
