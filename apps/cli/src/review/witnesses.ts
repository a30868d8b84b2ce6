import type { Finding } from "@anneal/types";

/** Who reported a finding, where several review, and what became of it where another agent had to confirm it. */
export function witnesses({ seenBy, verification }: Pick<Finding, "seenBy" | "verification">): string[] {
  return [
    ...(seenBy === undefined ? [] : [`seen by ${seenBy.join(", ")}`]),
    ...(verification === undefined
      ? []
      : [`${WORDS[verification.result]} by ${verification.by}: ${verification.evidence}`]),
  ];
}

const WORDS = {
  confirmed: "confirmed",
  refuted: "does not block: refuted",
  unconfirmed: "does not block: not confirmed",
} as const;
