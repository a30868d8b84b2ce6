import type { AnswerReading } from "../answer/answer.ts";
import type { AnswerLine } from "./markdown.ts";

/** A line in the form of an issue next to a passing object is a finding that did not make it into the object's list. */
export function refuseIssueLines({ problem }: AnswerReading, prose: readonly AnswerLine[]): void {
  const issue = prose.find((line) => line.kind === "text" && ISSUE_LINE.test(line.text));
  if (issue !== undefined) problem(`The answer claims a pass, but also has "${issue.text.trim().slice(0, 60)}".`);
}

const ISSUE_LINE =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?`?[\w./@-]+:\d+(?::\d+)?`?:?\s+\W*(?:error|warning|critical|high|medium|blocker|important)\b/i;
