import type { Finding, LoopState, Policy, Round, Severity, TrackedFinding } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { blocks } from "../findings/blocking.ts";
import { atLeast, severityWord } from "../findings/severity-and-category.ts";
import { openFindings } from "../lineage/lineage.ts";
import { escapeBlock, indentRest } from "../text/markdown.ts";
import { sanitise } from "../text/sanitise.ts";
import { locationText, oneLine, wholeMessage } from "../text/text.ts";
import { certificateSummary } from "../write/held-back.ts";
import { cut, defused } from "./words-of-others.ts";

/** What a pull request says about itself. */
export interface PullRequestText {
  title: string;
  body: string;
}

export interface PullRequestSubject {
  item: { id: string; title: string; description: string };
  policy: Policy;
  state: LoopState;
}

export const NOT_REVIEWED = "NOT REVIEWED";

/** Forges take titles of 255 and bodies of 65,536 characters; every part below has its share. */
const CHARS = { title: 200, asked: 8_000, issue: 700, line: 200 } as const;
const MOST = { issues: 40, rounds: 30, decisions: 20, skipped: 20 } as const;

/** Title and text of a pull request, from the log: what was asked, how the review went, what is left. */
export function pullRequestText({ item, policy, state }: PullRequestSubject): PullRequestText {
  const unreviewed = state.verdict?.head !== state.head;
  const name = cut(oneLine(sanitise(item.title.slice(0, 4 * CHARS.title))) || oneLine(item.id), CHARS.title);
  const why = unreviewed
    ? "nobody has reviewed this head"
    : "the last review did not pass, and a person skipped the rest";
  const marked = unreviewed || (state.stage === "opening-pr" && state.draft);
  const sections = [
    marked ? `> **${NOT_REVIEWED}**: ${why}. The pull request stays a draft until a person marks it ready.` : "",
    section("What was asked", text(item.description, CHARS.asked)),
    section("Self-review", outcome(policy, state, unreviewed)),
    section("Iterations", iterations(state.rounds)),
    section("Open issues", openIssues(policy, state)),
    section("Decisions", decisions(state.findings)),
    section("Not seen by the reviewer", notSeen(state.rounds.at(-1))),
  ];
  const body = sections.filter((part) => part !== "").join("\n\n");
  return { title: marked ? `${NOT_REVIEWED}: ${name}` : name, body: `${body}\n` };
}

function section(heading: string, content: string): string {
  return content === "" ? "" : `## ${heading}\n\n${content}`;
}

function outcome(policy: Policy, state: LoopState, unreviewed: boolean): string {
  const { verdict, rounds } = state;
  const done = `${rounds.length} ${rounds.length === 1 ? "iteration" : "iterations"}`;
  // After feedback they are counted anew.
  const limit = state.feedbackCycles > 0 ? done : `${done}, at most ${policy.limits.reviews}`;
  if (verdict === null) return "There was no review.";
  if (unreviewed) return `The last review was of ${commit(verdict.head)}, not of this head (${limit}).`;
  const reason = line(verdict.verdict.reason);
  if (verdict.verdict.result === "pass") return `Passed at ${commit(verdict.head)} (${limit}): ${reason}`;
  return `**Not passed** at ${commit(verdict.head)} (${limit}): ${reason}`;
}

function iterations(rounds: readonly Round[]): string {
  if (rounds.length === 0) return "";
  const shown = rounds.slice(-MOST.rounds).map(({ number, head, verdict, report }) => {
    const counts = SEVERITIES.flatMap((severity) => count(severity, report.findings));
    const found = counts.length === 0 ? "none" : counts.join(", ");
    return `| ${number} | ${commit(head)} | ${verdict.result} | ${found} | ${cell(certificateSummary(report, verdict))} |`;
  });
  return ["| iteration | head | verdict | issues | summary |", "|---|---|---|---|---|", ...shown].join("\n");
}

function count(severity: Severity, findings: Round["report"]["findings"]): string[] {
  const of = findings.filter((finding) => finding.severity === severity);
  const word = of[0] === undefined ? "" : severityWord("pull-request", { ...of[0], native: undefined });
  return of.length === 0 ? [] : [`${of.length} ${word}`];
}

function openIssues(policy: Policy, { findings }: LoopState): string {
  const open = openFindings(findings);
  const sorted = SEVERITIES.flatMap((severity) => open.filter(({ finding }) => finding.severity === severity));
  return limited(sorted, MOST.issues, ({ finding }) => {
    const standing = standingOf(policy, finding);
    const place = finding.file === undefined ? "" : ` ${code(locationText(finding))}:`;
    const words = { title: cut(finding.title, CHARS.issue), description: cut(finding.description, CHARS.issue) };
    const said = indentRest(text(wholeMessage(words), CHARS.issue), 2);
    return `- **${severityWord("pull-request", { ...finding, native: undefined })}**${standing}${place} ${said}`;
  });
}

function standingOf({ pass }: Policy, finding: Finding): string {
  if (blocks(pass, finding)) return "";
  return atLeast(finding.severity, pass.blocksAt) ? ", not confirmed" : ", not blocking";
}

function decisions(findings: readonly TrackedFinding[]): string {
  const made = findings.flatMap(({ finding, disposition }) => {
    switch (disposition.kind) {
      case "dismissed":
      case "deferred":
      case "accepted-risk":
        return [
          `- ${line(finding.title)}: ${disposition.kind} by ${line(disposition.by)}, ${line(disposition.reason)}`,
        ];
      case "refuted":
        return [`- ${line(finding.title)}: not a defect, ${line(disposition.evidence)}`];
      default:
        return [];
    }
  });
  return limited(made, MOST.decisions, (item) => item);
}

function notSeen(round: Round | undefined): string {
  const skipped = round?.coverage.skipped ?? [];
  return limited(skipped, MOST.skipped, ({ file, reason }) => `- ${code(file)}: ${line(reason)}`);
}

function limited<T>(items: readonly T[], most: number, shown: (item: T) => string): string {
  const rest = items.length - most;
  return [...items.slice(0, most).map(shown), ...(rest > 0 ? [`- … and ${rest} more`] : [])].join("\n");
}

/** Agents' and people's words, which must not become structure, markup, mentions or commands to the forge. */
function text(words: string, maxChars: number): string {
  return defused(escapeBlock(sanitise(cut(words.trim(), maxChars)).trim()));
}

function line(words: string): string {
  return defused(cut(oneLine(sanitise(words.slice(0, 4 * CHARS.line))), CHARS.line));
}

function cell(words: string): string {
  return line(words).replace(/\|/gu, "\\|");
}

function commit(head: string): string {
  return code(head.slice(0, 12));
}

/** A code span that its own content cannot end. */
function code(words: string): string {
  const content = cut(oneLine(words.slice(0, 4 * CHARS.line)), CHARS.line);
  const longest = (content.match(/`+/gu) ?? []).reduce((length, run) => Math.max(length, run.length), 0);
  const ticks = "`".repeat(longest + 1);
  const pad = content.startsWith("`") || content.endsWith("`") ? " " : "";
  return `${ticks}${pad}${content}${pad}${ticks}`;
}
