import type { Policy } from "@anneal/types";
import { adversarial } from "./adversarial.ts";
import { advisory } from "./advisory.ts";
import { gate } from "./gate.ts";
import { pullRequest } from "./pull-request.ts";
import { scored } from "./scored.ts";

/** The five, in the order of their seeds. */
export const POLICIES = {
  gate,
  "pull-request": pullRequest,
  scored,
  adversarial,
  advisory,
} as const satisfies Record<string, Policy>;

export { pullRequestWith } from "./pull-request.ts";
