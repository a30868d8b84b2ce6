import { type CodeReviewConfig, DEFAULT_CODE_REVIEW_CONFIG, type Policy } from "@anneal/types";
import { POLICIES } from "../../policies/index.ts";
import { Play } from "../../testing/build.ts";
import { policyFromChoo } from "../choo-policy.ts";

export function choo(over: Partial<CodeReviewConfig> = {}): CodeReviewConfig {
  return { ...DEFAULT_CODE_REVIEW_CONFIG, ...over };
}

/** The policy of a unit with so many pairs of fix and review. */
export function advisoryWith(maxFixIterations: number): Policy {
  return policyFromChoo(choo({ max_fix_iterations: maxFixIterations }), POLICIES.advisory);
}

/** The loop of a unit under what `.choo.yaml` says. */
export function unit(over: Partial<CodeReviewConfig> = {}, tasks: string[] = []): Play {
  return new Play(policyFromChoo(choo(over), POLICIES.advisory), { tasks });
}

export const garbage = { status: "inconclusive", reason: "the answer is no JSON" } as const;
