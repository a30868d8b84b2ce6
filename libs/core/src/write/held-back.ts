import type { CompleteReport, Verdict } from "@anneal/types";

/** Why a change did not pass that its reviewer lets through; null where the reviewer's word is the verdict's. */
export function heldBack(verdict: Verdict): string | null {
  return verdict.result === "fail" && verdict.approved === true ? verdict.reason : null;
}

/** What a review says in short, and first why it counts for less than it says. */
export function certificateSummary({ summary }: Pick<CompleteReport, "summary">, verdict: Verdict): string {
  const because = heldBack(verdict);
  return because === null ? summary : `${asSentence(because)} ${summary}`.trim();
}

export function asSentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
