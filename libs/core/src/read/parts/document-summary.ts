import type { AnswerReading } from "../answer/answer.ts";
import { type AnswerLine, withoutEmphasis } from "../prose/markdown.ts";

export interface DocumentSummary {
  total: number;
  critical: number;
  important: number;
  minor: number;
  recommendation: string;
}

const COUNTS = ["total", "critical", "important", "minor"] as const;

/** The counts and the recommendation under "## Summary"; table rows and plain lines are read alike. */
export function readDocumentSummary({ problem }: AnswerReading, lines: AnswerLine[]): DocumentSummary {
  const counts = new Map<(typeof COUNTS)[number], number>();
  const recommendation: string[] = [];
  let recommending = false;
  for (const line of lines) {
    const text = withoutEmphasis(line.probe.replace(/^[\s>]*(?:[-*+•]\s+|\|\s*)/, ""));
    const found =
      /^(total|critical|important|minor)(?:\s+(?:findings?|issues?))?(?:\s*\([^)]*\))?\s*[:|=]\s*(.*)$/i.exec(text);
    const name = COUNTS.find((each) => each === found?.[1]?.toLowerCase());
    if (name !== undefined) {
      if (line.kind !== "text") problem(`The count "${line.text.trim().slice(0, 60)}" is in quoted text.`);
      if (counts.has(name)) problem(`The summary counts ${name} twice.`);
      const number = wholeNumber(found?.[2] ?? "");
      if (number === undefined)
        problem(`The summary says "${(found?.[2] ?? "").slice(0, 30)}" for ${name} where a whole number was expected.`);
      counts.set(name, number ?? 0);
      recommending = false;
      continue;
    }
    const advice = /^(?:recommendation|recommended action)\s*[:|]\s*(.*)$/i.exec(text)?.[1];
    if (advice !== undefined) recommending = true;
    if (recommending) recommendation.push(advice?.replace(/\s*\|$/, "") ?? line.text.trim());
  }
  for (const name of COUNTS.filter((each) => !counts.has(each))) problem(`The summary has no count for ${name}.`);
  const count = (name: (typeof COUNTS)[number]) => counts.get(name) ?? 0;
  const advice = recommendation.join("\n").trim();
  return {
    total: count("total"),
    critical: count("critical"),
    important: count("important"),
    minor: count("minor"),
    recommendation: advice,
  };
}

function wholeNumber(text: string): number | undefined {
  const digits = /^(\d{1,6})\s*(?:findings?|issues?)?\s*(?:\([^)]*\)|[|.,;✅✔]?\uFE0F?)\s*$/u.exec(text)?.[1];
  return digits === undefined ? undefined : Number(digits);
}
