import type { Report, Ruling } from "@anneal/types";
import {
  type AgentAnswer,
  type AnswerReading,
  admit,
  conclude,
  type ReadOptions,
  type ReadReport,
} from "./answer/answer.ts";
import { nearMiss } from "./answer/near-miss.ts";
import { withoutDoubles } from "./json/rulings.ts";
import { readCompliance, requirementStatus } from "./parts/compliance.ts";
import { isDecision, readDecision, takesApprovalBack } from "./parts/decision-line.ts";
import { isNone, looksLikeIssue, readIssueList } from "./parts/issue-list.ts";
import { requireShort, requireSignOff, withoutSignOff } from "./parts/sign-off.ts";
import { beforeClosing } from "./prose/closing.ts";
import { type AnswerLine, headingOf, linesOf, unwrapped, withoutEmphasis } from "./prose/markdown.ts";

const SECTIONS = [
  ["issues", /^issues(?: found)?(?:\s*(?:\(\d+\)|[:–-]\s*\d+))?$/i],
  ["summary", /^(?:overall )?summary$/i],
  ["compliance", /^(?:feature )?compliance(?: review)?$/i],
  ["rulings", /^rulings$/i],
  [
    "demand",
    /^(?:(?:what )?must be fixed|required (?:changes|fixes)|action required)(?: before (?:the )?next review)?$/i,
  ],
] as const;
// The two optional sections would vanish without a trace; a mandatory one is missed anyway.
const HIDDEN_SECTION = /^[\s>]*#{1,6}\s+(?:(?:feature )?compliance(?: review)?|rulings)\s*$/i;
const STRAY_RULING = /[-*+]\s+`?(?=\w*\d)[0-9a-f]{4,}`?\s*:\s*(?:fixed|open|refuted)\b/i;
type SectionName = (typeof SECTIONS)[number][0];

/** Seed 000: a decision line, the issue list and a summary. */
export function readDecisionText(answer: AgentAnswer, options: ReadOptions = {}): Report {
  return conclude(answer, options, (reading) => readReview(reading, linesOf(unwrapped(admit(answer.text)))));
}

function readReview(reading: AnswerReading, all: AnswerLine[]): ReadReport {
  const { lines, signOff } = withoutSignOff(
    reading,
    reading.need(() => beforeClosing(all, reading), all),
  );
  const sections = cut(reading, lines);
  const issues = sections.get("issues") ?? missing(reading, "Issues Found", lines.length);
  const summary = sections.get("summary") ?? missing(reading, "Summary", lines.length);
  const decision = reading.need(() => readDecision(lines, issues.at), "REJECTED");
  if (summary.at < issues.at) reading.broke('"### Summary" comes before "### Issues Found".');
  const rulingLines = sections.get("rulings")?.lines;
  const complianceLines = sections.get("compliance")?.lines;
  refuseMisplaced(reading, lines, issues.lines, rulingLines ?? []);
  const paragraphs = paragraphsOf(summary.lines);
  if (paragraphs.length === 0) reading.broke('"### Summary" is empty.');

  const approved = decision === "APPROVED";
  const demanded = sections.get("demand")?.lines ?? [];
  if (approved) {
    const own = [...lines.slice(0, issues.at).filter((line) => !isDecision(line)), ...summary.lines];
    requireShort(reading, own);
    refuseOtherSections(reading, lines);
    if (takesApprovalBack(summary.lines)) reading.problem('The decision is APPROVED, but "### Summary" says REJECTED.');
    const asked = demanded.find((line) => line.text.trim() !== "" && !isNone(line));
    if (asked !== undefined)
      reading.problem(`The review says APPROVED, but asks for "${asked.text.trim().slice(0, 60)}".`);
  }

  const findings = sections.has("issues") ? readIssueList(reading, issues.lines) : [];
  const counted = Number(/\d+/.exec(issues.title)?.[0] ?? 0);
  if (counted > findings.length)
    reading.problem(`"${issues.title}" announces more issues than the ${findings.length} of its list.`);
  const compliance = readCompliance(reading, complianceLines);
  if (approved) requireSignOff(reading, signOff, compliance);
  const demand = [...(approved ? [] : paragraphs.slice(1)), ...paragraphsOf(demanded)].join("\n\n");
  return {
    status: "complete",
    claim: approved ? "pass" : "fail",
    findings,
    summary: approved ? paragraphs.join("\n\n") : (paragraphs[0] ?? ""),
    ...(!approved && demand !== "" ? { demand } : {}),
    ...(compliance === undefined ? {} : { compliance }),
    rulings: readRulings(reading, rulingLines),
  };
}

function missing(reading: AnswerReading, title: string, at: number): Section {
  reading.broke(`The answer has no section "### ${title}".`);
  return { title, at, lines: [] };
}

/** What has a section of its own and stands elsewhere: nobody would read it there. */
function refuseMisplaced(
  reading: AnswerReading,
  lines: AnswerLine[],
  issues: AnswerLine[],
  rulings: AnswerLine[],
): void {
  const listed = new Set(issues);
  const outside = lines.filter((each) => looksLikeIssue(each) && !listed.has(each));
  for (const line of outside.slice(0, 1))
    reading.broke(`The issue "${line.text.trim().slice(0, 60)}" is outside "### Issues Found".`);
  const ruled = new Set(rulings);
  for (const line of lines.filter((each) => STRAY_RULING.test(each.probe) && !ruled.has(each)))
    reading.problem(`The ruling "${line.text.trim().slice(0, 60)}" is outside "### Rulings".`);
  for (const line of lines.filter((each) => each.kind !== "text" && HIDDEN_SECTION.test(each.probe)))
    reading.problem(`The section "${line.text.trim()}" is in quoted text.`);
}

interface Section {
  title: string;
  at: number;
  lines: AnswerLine[];
}

/** Unknown headings stay part of the section they stand in, so that nothing under them is skipped. */
function cut(reading: AnswerReading, lines: AnswerLine[]): Map<SectionName, Section> {
  const sections = new Map<SectionName, Section>();
  let current: Section | undefined;
  for (const [at, line] of lines.entries()) {
    const title = headingOf(line)?.title;
    const name = SECTIONS.find(([, pattern]) => title !== undefined && pattern.test(title))?.[0];
    if (name === undefined) {
      refuseAlmostSection(reading, line);
      current?.lines.push(line);
      continue;
    }
    if (sections.has(name)) reading.broke(`The answer has the section "${title}" twice.`);
    current = { title: title ?? "", at, lines: [] };
    sections.set(name, current);
  }
  return sections;
}

function refuseAlmostSection(reading: AnswerReading, line: AnswerLine): void {
  const heading = headingOf(line);
  if (heading === undefined || heading.level > 6 || requirementStatus(heading.title) !== undefined) return;
  const meant =
    /^(?:issues found|summary|compliance|rulings)(?=\W)/i.exec(heading.title)?.[0] ??
    nearMiss(heading.title, ["Issues Found", "Summary", "Compliance", "Rulings"]);
  if (meant !== undefined) reading.broke(`The heading "${heading.title}" comes where "${meant}" was expected.`);
}

/** Nobody knows what a section means that the form does not have. A title may stand above the decision, subheadings within a section. */
function refuseOtherSections(reading: AnswerReading, lines: AnswerLine[]): void {
  const decided = lines.findIndex(isDecision);
  for (const line of lines.slice(decided + 1)) {
    const heading = headingOf(line);
    if (heading === undefined || heading.level > 3 || SECTIONS.some(([, pattern]) => pattern.test(heading.title)))
      continue;
    reading.problem(`The section "${heading.title}" is not part of the form.`);
  }
}

function paragraphsOf(lines: AnswerLine[]): string[] {
  const text = lines.map((line) => line.text).join("\n");
  const says = lines.some((line) => line.kind === "text" && /[\p{L}\p{N}]/u.test(line.text));
  return says
    ? text
        .split(/\n\s*\n/)
        .map((part) => part.trim())
        .filter((part) => /[\p{L}\p{N}]/u.test(part))
    : [];
}

const NO_EARLIER =
  /^(?:there (?:are|were) )?no (?:(?:earlier|previous|prior|open) )+(?:findings|issues)(?: to rule on)?\.?$/i;

function readRulings(reading: AnswerReading, lines: AnswerLine[] | undefined): Ruling[] {
  if (lines === undefined) return [];
  const rulings: Ruling[] = [];
  for (const line of lines.filter((each) => each.text.trim() !== "" && !isNone(each) && !NO_EARLIER.test(each.text))) {
    const last = rulings.at(-1);
    const text = withoutEmphasis(line.probe).replaceAll("`", "");
    const found =
      /^(?:[-*+•]|\d+[.)])\s+(\S+?)\s*:\s*(fixed|open|refuted)\b(?:\s*[-–—:,]\s*(.*)|\s+\((.*)\))?\.?$/i.exec(text);
    if (found !== null && line.kind === "text") {
      const evidence = (found[3] ?? found[4])?.trim() ?? "";
      const ruling = (found[2] ?? "").toLowerCase();
      rulings.push({
        fingerprint: found[1] ?? "",
        ruling: ruling === "fixed" ? "fixed" : ruling === "refuted" ? "refuted" : "open",
        ...(evidence === "" ? {} : { evidence }),
      });
    } else if (last?.evidence !== undefined && (line.indent > 1 || line.kind === "code")) {
      last.evidence += `\n${line.text.trim()}`;
    } else {
      reading.problem(
        `"${line.text.trim().slice(0, 60)}" under "### Rulings" is not of the form "- fingerprint: fixed - evidence".`,
      );
    }
  }
  if (rulings.length === 0 && !lines.some((line) => isNone(line) || NO_EARLIER.test(line.text)))
    reading.problem('"### Rulings" has neither a ruling nor the word "None".');
  return withoutDoubles(reading, rulings);
}
