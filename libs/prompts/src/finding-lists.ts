import type { Disposition, Finding, TrackedFinding } from "@anneal/types";
import type { Words } from "./request.ts";

/** Findings as a numbered list that carries their fingerprints, for agents that must name them again. */
export function numberedFindings(findings: readonly TrackedFinding[], words: Words = ownWords): string {
  return findings.map((tracked, index) => entry(index + 1, tracked, words, [])).join("\n\n");
}

/** Findings of earlier rounds with what has become of each, for a reviewer to rule on. */
export function earlierFindings(findings: readonly TrackedFinding[], words: Words = ownWords): string {
  return findings.map((tracked, index) => entry(index + 1, tracked, words, history(tracked))).join("\n\n");
}

/** Findings in the form of seed 004's fix prompt. */
export function headedIssues(findings: readonly TrackedFinding[], words: Words = ownWords): string {
  return findings
    .map(({ fingerprint, finding }, index) =>
      lines([
        `## Issue ${index + 1}: ${words(finding).severity}`,
        place(finding) && `**File**: ${place(finding)}`,
        `**Problem**: ${problem(finding)}`,
        finding.suggestion && `**Suggestion**: ${finding.suggestion}`,
        `**Fingerprint**: ${fingerprint}`,
      ]),
    )
    .join("\n\n");
}

/** Findings one line each, beside a document that already tells the whole story. */
export function fingerprintIndex(findings: readonly TrackedFinding[], words: Words = ownWords): string {
  return findings
    .map(({ fingerprint, finding }) => {
      const where = place(finding);
      return `- ${fingerprint} - ${words(finding).severity}: ${finding.title}${where ? ` (${where})` : ""}`;
    })
    .join("\n");
}

/** Findings under their severity, worst first. */
export function bySeverity(
  findings: readonly TrackedFinding[],
  words: Words = ownWords,
): { severity: string; findings: TrackedFinding[] }[] {
  const worstFirst = scale.flatMap((severity) => findings.filter(({ finding }) => finding.severity === severity));
  const groups = new Map<string, TrackedFinding[]>();
  for (const tracked of worstFirst) {
    const { severity } = words(tracked.finding);
    groups.set(severity, [...(groups.get(severity) ?? []), tracked]);
  }
  return [...groups].map(([severity, members]) => ({ severity, findings: members }));
}

const scale = ["critical", "high", "medium", "low", "info"] as const;

function ownWords(finding: Finding): { severity: string; category: string } {
  return {
    severity: finding.native?.severity ?? finding.severity,
    category: finding.native?.category ?? finding.category,
  };
}

function entry(number: number, { fingerprint, finding }: TrackedFinding, words: Words, more: string[]): string {
  const { severity, category } = words(finding);
  return lines([
    `${number}. [${category.toUpperCase()}] ${severity}: ${finding.title}`,
    `   - Fingerprint: ${fingerprint}`,
    `   - Description: ${indented(finding.description)}`,
    finding.impact && `   - Impact: ${indented(finding.impact)}`,
    finding.suggestion && `   - Suggestion: ${indented(finding.suggestion)}`,
    finding.file && `   - File: ${finding.file}`,
    finding.line && `   - Line: ${finding.line}`,
    ...more.map((line) => `   - ${indented(line)}`),
  ]);
}

function history({ firstRound, lastRound, disposition, refutation }: TrackedFinding): string[] {
  const seen = firstRound === lastRound ? `in round ${firstRound}` : `in rounds ${firstRound} to ${lastRound}`;
  return [
    `Reported: ${seen}`,
    `Standing: ${standing(disposition)}`,
    ...(refutation === undefined ? [] : [`Refutation by the fixer, not ruled on yet: ${refutation}`]),
  ];
}

function standing(disposition: Disposition): string {
  switch (disposition.kind) {
    case "open":
      return "open";
    case "fixed":
      return `fixed in ${disposition.commit}`;
    case "refuted":
      return `refuted: ${disposition.evidence}`;
    default:
      return `${disposition.kind} by ${disposition.by}: ${disposition.reason}`;
  }
}

function problem(finding: Finding): string {
  return finding.description.includes(finding.title) ? finding.description : `${finding.title}. ${finding.description}`;
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
