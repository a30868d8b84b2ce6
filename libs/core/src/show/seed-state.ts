import type { ItemRef, LoopState, Policy } from "@anneal/types";
import { badgeOf } from "../board/badge.ts";
import { boardColumn } from "../items/feature-status.ts";

/** Where a loop stands, in the words of its item's own seed: seed 000 has its columns, the others words of their own. */
export function seedState(kind: ItemRef["kind"], policy: Pick<Policy, "push">, state: LoopState): string {
  const columns = kind === "feature" && policy.push !== "with-pr";
  return (columns ? null : badgeOf(kind, policy, state)) ?? boardColumn(kind, state);
}
