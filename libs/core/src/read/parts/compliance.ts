import type { CompleteReport } from "@anneal/types";
import { type AnswerReading, unreadable, wholly } from "../answer/answer.ts";
import { fieldsOf, filled, listOf, optional } from "../json/decode.ts";
import { type AnswerLine, headingOf, withoutEmphasis } from "../prose/markdown.ts";
import { isNone } from "./issue-list.ts";

type RequirementStatus = "met" | "unmet";

export const COMPLIANCE_KEYS = ["met", "unmet"] as const;

/** The requirements in a JSON answer: two lists of texts. Another key could name an unmet one, and is never passed over. */
export function decodeCompliance(value: unknown, path: string): NonNullable<CompleteReport["compliance"]> {
  const fields = fieldsOf(wholly, value, path, COMPLIANCE_KEYS, (key) =>
    unreadable(`${path} has the unknown "${key}".`),
  );
  const texts = (key: RequirementStatus) => optional(fields, key, path, listOf(filled)) ?? [];
  return { met: texts("met"), unmet: texts("unmet") };
}

/** The requirements under "### Compliance": what is marked as met or unmet. A line of a list without a mark is no requirement that passed. */
export function readCompliance(reading: AnswerReading, lines: AnswerLine[] | undefined): CompleteReport["compliance"] {
  if (lines === undefined) return undefined;
  const compliance: Record<RequirementStatus, string[]> = { met: [], unmet: [] };
  let under: RequirementStatus | undefined;
  let inList = false;
  for (const line of lines.filter((each) => each.text.trim() !== "")) {
    const heading = headingOf(line);
    if (heading !== undefined) {
      under = requirementStatus(heading.title);
      if (under === undefined) neither(reading, heading.title);
      inList = false;
      continue;
    }
    const shown = line.probe.replace(/^[\s>]+/, "");
    const item = shown.startsWith("|") ? rowAsItem(shown) : ITEM.exec(shown)?.[1];
    const found = entryOn(item ?? shown);
    if (isNone(line) || (shown.startsWith("|") && item === undefined)) continue;
    if (found !== undefined) compliance[found.where].push(found.text);
    else if (item !== undefined && !(inList && line.indent > 1)) {
      if (under === undefined) neither(reading, item);
      else compliance[under].push(withoutEmphasis(item));
    }
    inList = item !== undefined || (inList && line.indent > 1);
  }
  return compliance;
}

/** What a heading or a mark says of the requirements that it stands for. */
export function requirementStatus(text: string): RequirementStatus | undefined {
  if (
    /^(?:\[ \]|❌|✗|✘|(?:unmet|not met|non-compliant|incomplete|partial(?:ly)?|partly)(?![\p{L}\p{N}-]))/iu.test(text)
  )
    return "unmet";
  return /^(?:\[x\]|✓|✔|✅|(?:met|compliant)(?![\p{L}\p{N}-]))/iu.test(text) ? "met" : undefined;
}

const ITEM = /^(?:[-*+•‣–—]|(?:\d+|[a-z])[.)])\s+(.*)$/i;
const MARKED =
  /^(?:\*\*|__)?(\[[xX ]\]|✓|✔️?|✅|❌|✗|✘|(?:met|unmet|not met)(?![\p{L}\p{N}-]))(?:\*\*|__)?\s*[:\-–—]?\s*(?:\*\*|__)?\s*(.+)$/iu;
const MARKED_LAST = /^(.+?)\s*(?:[:–—]|\s-|\()\s*(?:\*\*|__)?\s*(✅|❌|met|unmet|not met)(?:\*\*|__)?\s*\)?\.?$/iu;
const ONLY_IN_PART = /^(?:partial(?:ly)?|partly|only|in part|except|but|apart from|aside from|mostly|almost)\b/i;

function entryOn(item: string): { where: RequirementStatus; text: string } | undefined {
  const marked = MARKED.exec(item);
  const last = marked === null ? MARKED_LAST.exec(item) : null;
  const where = requirementStatus(marked?.[1] ?? last?.[2] ?? "");
  if (where === undefined) return undefined;
  const text = withoutEmphasis(marked?.[2] ?? last?.[1] ?? item);
  return { where: ONLY_IN_PART.test(text) ? "unmet" : where, text };
}

/** A table row as the item that it stands for; its head and the rule below have no standing and say nothing. */
function rowAsItem(row: string): string | undefined {
  const cells = row.split("|").map((cell) => withoutEmphasis(cell).replaceAll("`", ""));
  const at = cells.findIndex((cell) => requirementStatus(cell) !== undefined);
  const rest = cells.filter((cell, index) => index !== at && cell !== "");
  if (at >= 0) return `${requirementStatus(cells[at] ?? "")}: ${rest.join(" - ")}`;
  const isFrame =
    rest.every((cell) => /^:?-+:?$/.test(cell)) || rest.some((cell) => /^(?:status|met\??|state|result)$/i.test(cell));
  return isFrame ? undefined : rest.join(" - ");
}

function neither({ problem }: AnswerReading, text: string): void {
  problem(`"${text.slice(0, 60)}" under "### Compliance" says neither met nor unmet.`);
}
