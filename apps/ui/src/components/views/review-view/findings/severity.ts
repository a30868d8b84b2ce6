import type { ApiFinding, Severity } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import type { Tone } from "../../../ui/badge.tsx";

export const SEVERITY_TONES: Readonly<Record<Severity, Tone>> = {
  critical: "bad",
  high: "bad",
  medium: "warn",
  low: "calm",
  info: "neutral",
};

/** Findings as a person reads them: what blocks, what is open besides, and what is settled. */
export interface Sorted {
  blocking: ApiFinding[];
  below: ApiFinding[];
  settled: ApiFinding[];
}

export function sorted(findings: readonly ApiFinding[]): Sorted {
  const byWeight = findings.toSorted(
    (a, b) =>
      SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity) ||
      (a.finding.file ?? "").localeCompare(b.finding.file ?? "") ||
      (a.finding.line ?? 0) - (b.finding.line ?? 0),
  );
  const isOpen = ({ disposition }: ApiFinding) => disposition.kind === "open";
  return {
    blocking: byWeight.filter(({ blocks }) => blocks),
    below: byWeight.filter((one) => !one.blocks && isOpen(one)),
    settled: byWeight.filter((one) => !one.blocks && !isOpen(one)),
  };
}
