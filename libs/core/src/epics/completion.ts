import { Unreadable } from "../read/answer/answer.ts";
import { findObject } from "../read/json/find-object.ts";
import { headingOf, linesOf } from "../read/prose/markdown.ts";
import { oneLine, plainText } from "../text/text.ts";
import { type Claim, claimsInJson, claimsInLines } from "./completion-claims.ts";
import { criteriaMeant, saysOf } from "./criterion-match.ts";

export interface CriterionAnswer {
  criterion: string;
  status: "addressed" | "missing";
  /** How the builder says that it can be seen. */
  evidence: string | null;
  /** Why it does not count as addressed. */
  because: string | null;
}

/** What a builder reports about the acceptance criteria of its ticket, one answer for each. */
export interface CompletionReport {
  criteria: CriterionAnswer[];
}

const NO_HEADING = 'the answer has no heading "Completion Report"';

/**
 * Reads the completion report of a builder: JSON, a list or a table under its heading.
 * A criterion is addressed only if everything that is said about it says so and names evidence.
 * What is not there or cannot be read is missing.
 */
export function readCompletionReport(answer: string, criteria: readonly string[]): CompletionReport {
  const claims = criteria.length === 0 ? [] : claimsIn(answer);
  if (typeof claims === "string") return { criteria: criteria.map((criterion) => missing(criterion, claims)) };
  const meant = claims.map((claim) => ({ claim, indices: criteriaMeant(claim, criteria) }));
  const about = (index: number) => meant.filter((one) => one.indices.includes(index)).map(({ claim }) => claim);
  return { criteria: criteria.map((criterion, index) => answerFrom(criterion, about(index))) };
}

/** Whether an answer has a completion report at all, whatever it says. */
export function hasCompletionReport(answer: string): boolean {
  return claimsIn(answer) !== NO_HEADING;
}

/** The report that holds for the work as it stands: of all answers about it, oldest first, the last that has one. */
export function latestCompletionReport(answers: readonly string[], criteria: readonly string[]): CompletionReport {
  const last = answers.findLast(hasCompletionReport) ?? "";
  return readCompletionReport(last, criteria);
}

const SHAPE = {
  whole: ["acceptance_criteria"],
  inner: ["criterion", "met"],
  telling: /"acceptance_criteria"\s*:/,
};

/** The claims of the report, or why there are none. */
function claimsIn(answer: string): Claim[] | string {
  try {
    const text = plainText(answer);
    const lines = linesOf(text);
    const headings = lines.flatMap((line, index) => ({ index, ...headingOf(line) }));
    const start = headings.findLast(({ title = "" }) => /^completion report$/i.test(title));
    if (start === undefined) return NO_HEADING;
    const next = headings.find(({ index, level = 8 }) => index > start.index && level <= (start.level ?? 0));
    const end = next?.index ?? lines.length;
    const section = text.split("\n").slice(start.index + 1, end);
    const found = findObject(section.join("\n"), SHAPE);
    return found === undefined ? claimsInLines(lines.slice(start.index + 1, end)) : claimsInJson(found.value);
  } catch (error) {
    if (error instanceof Unreadable) return `the completion report cannot be read: ${error.message}`;
    throw error;
  }
}

function answerFrom(criterion: string, claims: readonly Claim[]): CriterionAnswer {
  if (claims.length === 0) return missing(criterion, "the completion report does not mention it");
  const said = claims.map((claim) => saysOf(claim, criterion));
  const against = said.find(({ met }) => !met);
  if (against !== undefined) {
    const words = oneLine(against.evidence);
    return missing(criterion, `the completion report does not say that it is met${words === "" ? "" : `: ${words}`}`);
  }
  const evidence = said.map((one) => oneLine(one.evidence)).find((one) => /[\p{L}\p{N}]{2}/u.test(one));
  if (evidence === undefined) return missing(criterion, "the completion report gives no evidence for it");
  return { criterion, status: "addressed", evidence, because: null };
}

function missing(criterion: string, because: string): CriterionAnswer {
  return { criterion, status: "missing", evidence: null, because };
}
