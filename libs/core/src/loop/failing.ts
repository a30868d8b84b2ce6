import type { Finding, LoopState, Policy, TrackedFinding } from "@anneal/types";
import { isHeld } from "../findings/held-secrets.ts";
import { oscillation } from "./convergence.ts";
import { atHardCap, leave, leaveAtLimit, shared, wait } from "./exits.ts";

type Reviewing = Extract<LoopState, { stage: "reviewing" }>;

/** The review has failed: the fixer's turn, unless no fixer could mend it or no round is left. */
export function failed(policy: Policy, state: Reviewing, problems: Finding[]): LoopState {
  const held = state.findings.filter(isHeld);
  // A policy that merges whatever comes of its reviews is not held up by this either.
  if (held.length > 0 && policy.exits.roundsRunOut.to !== "merging") {
    return wait(policy, state, "never-publish", beyondFixes(held), ["refine", "take-over"]);
  }
  const turning = oscillation(policy, state);
  if (turning !== null) return leave(policy, state, policy.exits.roundsRunOut, "oscillating", turning);
  const { fixes, granted } = state.cycle;
  if (fixes >= policy.limits.fixes + granted || atHardCap(policy, state)) {
    const reason = state.verdict?.verdict.reason ?? "the last review failed";
    return leaveAtLimit(policy, state, policy.exits.roundsRunOut, "rounds-exhausted", reason);
  }
  return { ...shared(state), cycle: { ...state.cycle, fixes: fixes + 1 }, stage: "fixing", cause: "review", problems };
}

function beyondFixes(held: readonly TrackedFinding[]): string {
  const what = held.map(({ finding }) => finding.title).join("; ");
  const names = held.map(({ fingerprint }) => fingerprint.slice(0, 12)).join(", ");
  const why = "a fix cannot remove it from earlier commits";
  return `not pushed, because it would publish a secret: ${what}. Revoke the secret, then take over and rewrite the branch (${why}); if it is not a secret, dismiss or accept-risk ${names}`;
}
