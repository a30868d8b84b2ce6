import type { Finding, Verdict } from "@anneal/types";

/** The report's findings, and then what else blocks: carried findings, low scores, a rejection without a reason. */
export function withBlocking(findings: readonly Finding[], verdict: Verdict): Finding[] {
  if (verdict.result !== "fail") return [...findings];
  const known = new Set(findings.map(identity));
  return [...findings, ...verdict.blocking.filter((finding) => !known.has(identity(finding)))];
}

/** The findings of a report that do not block. */
export function withoutBlocking(findings: readonly Finding[], verdict: Verdict): Finding[] {
  if (verdict.result !== "fail") return [...findings];
  const blocking = new Set(verdict.blocking.map(identity));
  return findings.filter((finding) => !blocking.has(identity(finding)));
}

// Compared by content: after a replay of the log they are no longer the same objects.
function identity({ rule, category, severity, title, description, file, line }: Finding): string {
  return JSON.stringify([rule, category, severity, title, description, file, line]);
}
