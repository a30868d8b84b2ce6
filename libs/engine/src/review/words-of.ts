import { categoryWord, severityWord } from "@anneal/core";
import type { Finding, Policy, SeedName } from "@anneal/types";

/** The seed whose words each contract speaks. */
const SEED_OF: Record<Policy["reviewer"]["contract"], SeedName> = {
  "decision-text": "gate",
  "verdict-json": "pull-request",
  "scorecard-json": "scored",
  "findings-document": "adversarial",
  "issue-lines": "advisory",
};

/** How the agents of a policy call a finding's severity and category. */
export function wordsOf(policy: Pick<Policy, "reviewer">) {
  const seed = SEED_OF[policy.reviewer.contract];
  return (finding: Finding) => ({ severity: severityWord(seed, finding), category: categoryWord(seed, finding) });
}
