import { SEVERITIES } from "@anneal/core";
import type { TrackedFinding } from "@anneal/types";

export function worstFirst(a: TrackedFinding, b: TrackedFinding): number {
  return SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity);
}
