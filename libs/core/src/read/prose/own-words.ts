import type { AnswerReading } from "../answer/answer.ts";
import { clausesOf, clausesOfText } from "./clauses.ts";
import { grave, objection } from "./dissent.ts";
import type { AnswerLine } from "./markdown.ts";

/** What a passing answer says in free prose: around its form, and inside of it. */
export interface OwnWords {
  prose: readonly AnswerLine[];
  texts?: readonly string[];
}

/** A pass whose own prose speaks against it, or names something grave outside of its list, is no pass. */
export function refuseDissent({ problem }: AnswerReading, { prose, texts = [] }: OwnWords): void {
  const clauses = [...clausesOf(prose), ...texts.flatMap(clausesOfText)];
  const against = objection(clauses) ?? grave(clauses);
  if (against !== undefined) problem(`The answer claims a pass, but it also says "${against.slice(0, 60)}".`);
}

/** A line in the form of an issue next to a passing object is a finding that did not make it into the object's list. */
export function refuseIssueLines({ problem }: AnswerReading, prose: readonly AnswerLine[]): void {
  const issue = prose.find((line) => line.kind === "text" && ISSUE_LINE.test(line.text));
  if (issue !== undefined) problem(`The answer claims a pass, but also has "${issue.text.trim().slice(0, 60)}".`);
}

const ISSUE_LINE =
  /^\s*(?:[-*+]\s+|\d+[.)]\s+)?`?[\w./@-]+:\d+(?::\d+)?`?:?\s+\W*(?:error|warning|critical|high|medium|blocker|important)\b/i;
