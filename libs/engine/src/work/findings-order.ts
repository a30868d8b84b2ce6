import type { TrackedFinding } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";

export function worstFirst(a: TrackedFinding, b: TrackedFinding): number {
  return SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity);
}
