import type { CompleteReport, Report, Ruling } from "@anneal/types";
import { type Answer, admit, conclude, type ReadOptions, unreadable } from "./answer.ts";
import { beforeClosing } from "./closing.ts";
import { readCompliance, standing } from "./compliance.ts";
import { isDecision, readDecision, takesApprovalBack } from "./decision-line.ts";
import { isNone, looksLikeIssue, readIssueList } from "./issue-list.ts";
import { headingOf, type Line, linesOf, unwrapped, withoutEmphasis } from "./markdown.ts";
import { nearMiss } from "./near-miss.ts";
import { refuseDissent } from "./own-words.ts";
import { refuseIssuesInRemarks, remarksIn } from "./remarks.ts";
import { refuseDoubleRulings } from "./rulings.ts";

const SECTIONS = [
  ["issues", /^issues(?: found)?$/i],
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
export function readDecisionText(answer: Answer, options: ReadOptions = {}): Report {
  return conclude(answer, () => readReview(linesOf(unwrapped(admit(answer.text))), options.closing ?? "required"));
}

function readReview(all: Line[], closing: "required" | "optional"): CompleteReport {
  const lines = beforeClosing(all, closing);
  const sections = cut(lines);
  const issues = sections.get("issues") ?? unreadable('The answer has no section "### Issues Found".');
  const summaryLines = sections.get("summary") ?? unreadable('The answer has no section "### Summary".');
  const decision = readDecision(lines, issues.at);
  if (summaryLines.at < issues.at) unreadable('"### Summary" stands before "### Issues Found".');

  const listed = new Set(issues.lines);
  const outside = lines.find((line) => looksLikeIssue(line) && !listed.has(line));
  if (outside !== undefined)
    unreadable(`The issue "${outside.text.trim().slice(0, 60)}" stands outside "### Issues Found".`);
  const ruled = new Set(sections.get("rulings")?.lines);
  const ruling = lines.find((line) => STRAY_RULING.test(line.probe) && !ruled.has(line));
  if (ruling !== undefined) unreadable(`The ruling "${ruling.text.trim().slice(0, 60)}" stands outside "### Rulings".`);
  const known = new Set([...(sections.get("compliance")?.lines ?? []), ...ruled]);
  const hidden = lines.find((line) => line.kind !== "text" && HIDDEN_SECTION.test(line.probe));
  if (hidden !== undefined) unreadable(`The section "${hidden.text.trim()}" stands in quoted text.`);
  const paragraphs = paragraphsOf(summaryLines.lines);
  if (paragraphs.length === 0) unreadable('"### Summary" is empty.');
  if (decision === "APPROVED" && takesApprovalBack(summaryLines.lines)) {
    unreadable('The decision is APPROVED, but "### Summary" says REJECTED.');
  }

  if (decision === "APPROVED") {
    const prose = [
      lines.slice(0, issues.at).filter((line) => !known.has(line) && !isDecision(line)),
      summaryLines.lines,
    ];
    refuseDissent({ prose: prose.flat() });
    prose.flatMap(remarksIn).forEach(refuseIssuesInRemarks);
    const asked = sections.get("demand")?.lines.find((line) => line.text.trim() !== "" && !isNone(line));
    if (asked !== undefined)
      unreadable(`The decision is APPROVED, but it asks for "${asked.text.trim().slice(0, 60)}".`);
  }

  const notes: string[] = [];
  const note = (text: string) => notes.push(text);
  const findings = readIssueList(issues.lines, note);
  const compliance = readCompliance(sections.get("compliance")?.lines, decision === "APPROVED");
  const rulings = readRulings(sections.get("rulings")?.lines);
  const unmet = compliance?.unmet.length ?? 0;
  // The reviewer's own list of unmet requirements is its word too, and the stricter word counts.
  if (decision === "APPROVED" && unmet > 0) note(`APPROVED although ${unmet} requirements are listed as unmet.`);
  const rejected = decision === "REJECTED";
  const stated = paragraphsOf(sections.get("demand")?.lines ?? []);
  const demand = [...(rejected ? paragraphs.slice(1) : []), ...stated].join("\n\n");
  return {
    status: "complete",
    claim: rejected || unmet > 0 ? "fail" : "pass",
    findings,
    summary: rejected ? (paragraphs[0] ?? "") : paragraphs.join("\n\n"),
    ...(rejected && demand !== "" ? { demand } : {}),
    ...(compliance === undefined ? {} : { compliance }),
    rulings,
    notes,
  };
}

interface Section {
  at: number;
  lines: Line[];
}

/** Unknown headings stay part of the section they stand in, so that nothing under them is skipped. */
function cut(lines: Line[]): Map<SectionName, Section> {
  const sections = new Map<SectionName, Section>();
  let current: Section | undefined;
  for (const [at, line] of lines.entries()) {
    const title = headingOf(line)?.title;
    const name = SECTIONS.find(([, pattern]) => title !== undefined && pattern.test(title))?.[0];
    if (name === undefined) {
      refuseAlmostSection(line);
      current?.lines.push(line);
      continue;
    }
    if (sections.has(name)) unreadable(`The answer has the section "${title}" twice.`);
    current = { at, lines: [] };
    sections.set(name, current);
  }
  return sections;
}

function refuseAlmostSection(line: Line): void {
  const heading = headingOf(line);
  if (heading === undefined || heading.level > 6 || standing(heading.title) !== undefined) return;
  const meant =
    /^(?:issues found|summary|compliance|rulings)(?=\W)/i.exec(heading.title)?.[0] ??
    nearMiss(heading.title, ["Issues Found", "Summary", "Compliance", "Rulings"]);
  if (meant !== undefined) unreadable(`The heading "${heading.title}" stands where "${meant}" was expected.`);
}

function paragraphsOf(lines: Line[]): string[] {
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

function readRulings(lines: Line[] | undefined): Ruling[] {
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
      unreadable(
        `"${line.text.trim().slice(0, 60)}" under "### Rulings" is not of the form "- fingerprint: fixed - evidence".`,
      );
    }
  }
  if (rulings.length === 0 && !lines.some((line) => isNone(line) || NO_EARLIER.test(line.text)))
    unreadable('"### Rulings" has neither a ruling nor the word "None".');
  refuseDoubleRulings(rulings);
  return rulings;
}
