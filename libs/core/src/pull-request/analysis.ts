import type { AnalyzedFeedback, CompleteReport, Finding } from "@anneal/types";
import { sourceOf } from "../loop/request-source.ts";
import { oneLine } from "../text/text.ts";
import { cut } from "./words-of-others.ts";

type Issue = AnalyzedFeedback["actionableIssues"][number];

/** Who asked for a change, as the finding says it. */
export function askedFor(author: string): string {
  return `${author} asks for this on the pull request.`;
}

/** A remark that changes no code, as a note of the report: what it is, where it was said, by whom. */
export function noteOf(what: "question" | "decision", rule: string, author: string, text: string): string {
  return `${what} ${rule} by ${author}: ${cut(oneLine(text), 1_000)}`;
}

/** The feedback in seed 001's form. All of it is in the report, so that the log alone is enough to tell it. */
export function analysisOf(report: CompleteReport): AnalyzedFeedback {
  const actionableIssues = report.findings.flatMap((finding) => issueOf(finding) ?? []);
  const notes = report.notes.flatMap((note) => readNote(note) ?? []);
  const questionsToAnswer = notes
    .filter(({ what }) => what === "question")
    .map(({ sourceId, author, text }) => ({ sourceId, author, question: text }));
  const requiresHumanDecision = notes
    .filter(({ what }) => what === "decision")
    .map(({ sourceId, author, text }) => ({ sourceId, reason: `${author}: ${text}` }));
  const isBlocked = report.notes.some((note) => note.startsWith("blocked: "));
  const overallStatus = actionableIssues.length > 0 ? "ready_to_fix" : isBlocked ? "blocked" : "needs_human_input";
  return { actionableIssues, questionsToAnswer, requiresHumanDecision, overallStatus };
}

function issueOf(finding: Finding): Issue | null {
  const source = sourceOf(finding.rule);
  if (source === null) return null;
  const { severity, file, line, suggestion } = finding;
  return {
    source: source.of === "line" ? "comment" : source.of,
    sourceId: source.id,
    author: /^(\S+) (?:asks for this|has to pass) /u.exec(finding.impact ?? "")?.[1] ?? "unknown",
    // The seed has no word below low here.
    severity: severity === "info" ? "low" : severity,
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    description: finding.description === "" ? finding.title : finding.description,
    ...(suggestion === undefined ? {} : { suggestedAction: suggestion }),
  };
}

interface Note {
  what: "question" | "decision";
  sourceId: number;
  author: string;
  text: string;
}

function readNote(note: string): Note | null {
  const [, what, rule, author = "", text = ""] = /^(question|decision) (\S+) by (\S+): (.*)$/u.exec(note) ?? [];
  const source = sourceOf(rule);
  if (source === null || (what !== "question" && what !== "decision")) return null;
  return { what, sourceId: source.id, author, text };
}
