import type { Finding, PassRule } from "@anneal/types";
import { atLeast } from "./severity-and-category.ts";

/** Whether an open finding holds a change back: it is bad enough, and nobody who was to confirm it did otherwise. */
export function blocks({ blocksAt }: Pick<PassRule, "blocksAt">, finding: Finding): boolean {
  return atLeast(finding.severity, blocksAt) && !isUnconfirmed(finding);
}

export function isUnconfirmed({ verification }: Finding): boolean {
  return verification !== undefined && verification.result !== "confirmed";
}
