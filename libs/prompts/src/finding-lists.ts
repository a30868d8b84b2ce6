import type { Disposition, Finding, Lifecycle, TrackedFinding } from "@anneal/types";
import type { SeedWords } from "./request.ts";

/** Findings of earlier rounds with what has become of each, for a reviewer to rule on. */
export function earlierFindings(findings: readonly TrackedFinding[], words: SeedWords = ownWords): string {
  return findings.map((tracked, index) => entry(index + 1, tracked, words)).join("\n\n");
}

/** Findings one line each, together with a text that tells the whole story but names no fingerprints. */
export function fingerprintIndex(findings: readonly TrackedFinding[], words: SeedWords = ownWords): string {
  return findings
    .map(({ fingerprint, finding }) => {
      const where = place(finding);
      return `- ${fingerprint} - ${words(finding).severity}: ${finding.title}${where ? ` (${where})` : ""}`;
    })
    .join("\n");
}

function ownWords(finding: Finding): { severity: string; category: string } {
  return {
    severity: finding.native?.severity ?? finding.severity,
    category: finding.native?.category ?? finding.category,
  };
}

function entry(number: number, tracked: TrackedFinding, words: SeedWords): string {
  const { fingerprint, finding } = tracked;
  const { severity, category } = words(finding);
  return lines([
    `${number}. [${category.toUpperCase()}] ${severity}: ${finding.title}`,
    `   - Fingerprint: ${fingerprint}`,
    `   - Description: ${indented(finding.description)}`,
    finding.impact && `   - Impact: ${indented(finding.impact)}`,
    finding.suggestion && `   - Suggestion: ${indented(finding.suggestion)}`,
    finding.file && `   - File: ${finding.file}`,
    finding.line && `   - Line: ${finding.line}`,
    ...history(tracked).map((line) => `   - ${indented(line)}`),
  ]);
}

function history({ firstRound, lastRound, lifecycle, disposition, refutation }: TrackedFinding): string[] {
  const isPassedOver = lifecycle === "persisting" && firstRound === lastRound;
  const seen = firstRound === lastRound ? `in round ${firstRound}` : `in rounds ${firstRound} to ${lastRound}`;
  return [
    `Reported: ${seen}`,
    `History: ${unconfirmed(disposition) ?? (isPassedOver ? "no later review has said anything about it" : HISTORY[lifecycle])}`,
    `Standing: ${standing(disposition)}`,
    ...(refutation === undefined ? [] : [`Refutation by the fixer, not ruled on yet: ${refutation}`]),
  ];
}

function unconfirmed(disposition: Disposition): string | undefined {
  const isIt = disposition.kind === "fixed" && disposition.unconfirmed === true;
  return isIt ? `its code is gone since ${disposition.commit}` : undefined;
}

const HISTORY: Record<Lifecycle, string> = {
  new: "it was new in that round",
  persisting: "it was there again in a later round",
  moved: "it was there again in a later round, in another place",
  resolved: "it was resolved after that",
  regressed: "it came back after it had been resolved",
};

function standing(disposition: Disposition): string {
  switch (disposition.kind) {
    case "open":
      return "open";
    case "fixed":
      if (disposition.unconfirmed === true) return "open, as no review has said yet that it is fixed";
      return `fixed in ${disposition.commit}`;
    case "refuted":
      return `refuted: ${disposition.evidence}`;
    case "passed-over":
      return `not named by a later review of ${disposition.head}`;
    default:
      return `${disposition.kind} by ${disposition.by}: ${disposition.reason}`;
  }
}

function place(finding: Finding): string {
  if (finding.file === undefined) return "";
  return finding.line === undefined ? finding.file : `${finding.file}:${finding.line}`;
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n     ");
}

function lines(parts: (string | number | undefined)[]): string {
  return parts.filter(Boolean).join("\n");
}
