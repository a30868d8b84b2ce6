import type { LoopEvent, LoopState, Policy, WaitingMerge } from "@anneal/types";
import { unreviewedMark } from "./delivery.ts";
import { end, shared, wait } from "./exits.ts";

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

export function conflicted(policy: Policy, state: Merging, { files }: Of<"merge-conflicted">): LoopState {
  const [under] = state.merges ?? [];
  const detail = `conflict in ${files.join(", ")}${under === undefined ? "" : `, where ${under.id} is merged`}`;
  return wait(policy, state, "merge-conflict", detail, ["retry", "take-over"]);
}

/** A merge stands whatever its checks say: they are told to whoever owns the branch. */
function mergedAs({ commit, checks }: Of<"merged">, state: Merging): string {
  if (checks === undefined || checks.result === "not-configured") return `merged as ${commit}${unreviewedMark(state)}`;
  if (checks.result === "passed") return `merged as ${commit}; the merged tree passes its checks`;
  return `merged as ${commit}; the merged tree fails its checks: ${checks.findings[0]?.title ?? "no reason given"}`;
}
