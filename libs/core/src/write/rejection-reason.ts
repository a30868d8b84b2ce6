import type { CompleteReport, Finding, Verdict } from "@anneal/types";
import { isJudgement } from "../gate/gate.ts";
import { locationText, oneLine } from "../text/text.ts";
import { withoutBlocking } from "./blocking.ts";
import { toCodeReviewFinding } from "./code-review-finding.ts";
import { asSentence, heldBack } from "./held-back.ts";
import { CATEGORY_LABELS } from "./review-markdown.ts";

/** What has to change before the next review: the reviewer's own words, else made of what blocks. */
export function rejectionReason(report: Pick<CompleteReport, "demand" | "findings">, verdict: Verdict): string {
  if (report.demand !== undefined && report.demand.trim() !== "") return report.demand;
  if (verdict.result !== "fail") return verdict.reason;
  const because = heldBack(verdict);
  const { blocking } = verdict;
  // Where the gate itself made what blocks, the reviewer's findings are all that says what to do.
  const others = blocking.some(isJudgement) ? withoutBlocking(report.findings, verdict) : [];
  const wanted = [...blocking, ...others];
  const [only, ...more] = wanted.map(whatToDo);
  const todo = more.length === 0 ? (only ?? verdict.reason) : [only, ...more].map((line) => `- ${line}`).join("\n");
  return because === null ? todo : `${asSentence(because)}\n${todo}`;
}

function whatToDo(finding: Finding): string {
  const place = locationText(finding);
  const where = place === "" ? "" : ` (${place})`;
  const { suggestion = "", description, title } = finding;
  const label = CATEGORY_LABELS[toCodeReviewFinding(finding).category];
  const what = `${label} issue: ${oneLine(title)}${where}.`;
  if (oneLine(suggestion) !== "") return `${what} Suggestion: ${oneLine(suggestion)}`;
  return `${what} ${oneLine(description)}`.trim();
}
