import type { CompleteReport, Finding, Report } from "@anneal/types";
import { readSeverity, SEVERITY_WORDS } from "../words.ts";
import { type Answer, admit, conclude, unreadable } from "./answer.ts";
import * as decode from "./decode.ts";
import { findObject } from "./find-object.ts";
import { headline } from "./headline.ts";
import { linesOf, withoutEmphasis } from "./markdown.ts";

const SEED = "advisory";
const SEVERITIES = Object.keys(SEVERITY_WORDS[SEED].read);
const KEYS = ["passed", "summary", "issues"] as const;
const ISSUE_KEYS = ["file", "line", "severity", "message", "suggestion"] as const;

const SHAPE = {
  // Go's capitalised names are looked for as well, so that they are refused by name.
  whole: ["passed", "issues", "Passed", "Issues"],
  inner: ["severity", "message", "Severity", "Message"],
  telling: /"(?:passed|severity)"\s*:/,
};

/** Seed 004: `file:line: severity: message` lines, or a JSON object inside prose. */
export function readIssueLines(answer: Answer): Report {
  return conclude(answer, () => {
    if (answer.structured !== undefined) return decodeResult(answer.structured, []);
    const text = admit(answer.text);
    const object = findObject(text, SHAPE);
    const listed = readLines(text);
    if (object === undefined) return fromLines(text, listed);
    const report = decodeResult(object, listed);
    const inside = /:\d+:\s*(?:error|warning|suggestion)\s*:/i.exec(text)?.[0];
    if (report.claim === "pass" && inside !== undefined)
      unreadable(`The result says passed, but the answer has "${inside}".`);
    return report;
  });
}

function decodeResult(value: unknown, listed: Finding[]): CompleteReport {
  decode.inspect(value);
  const place = "The review result";
  const notes: string[] = [];
  const fields = decode.fieldsOf(value, place, KEYS, (key) => notes.push(`Unknown key "${key}" was ignored.`));
  const passed = decode.required(fields, "passed", place, decode.flag);
  const issues = decode.required(fields, "issues", place, decode.listOf(decodeIssue));
  const findings = [...issues, ...listed];
  if (passed && findings.length > 0) notes.push("The result says passed, but it has issues; they count.");
  return {
    status: "complete",
    claim: passed && findings.length === 0 ? "pass" : "fail",
    findings,
    summary: decode.required(fields, "summary", place, decode.filled),
    rulings: [],
    notes,
  };
}

function decodeIssue(value: unknown, path: string): Finding {
  const fields = decode.fieldsOf(value, path, ISSUE_KEYS, () => {});
  const severity = decode.required(fields, "severity", path, decode.oneOf(SEVERITIES));
  const message = decode.required(fields, "message", path, decode.filled);
  const file = decode.optional(fields, "file", path, decode.string);
  const line = decode.optional(fields, "line", path, decode.count);
  const suggestion = decode.optional(fields, "suggestion", path, decode.string);
  return toFinding(severity, message, file, line, suggestion);
}

function fromLines(text: string, findings: Finding[]): CompleteReport {
  const saysNone = linesOf(text).some(
    (line, at, all) => line.kind === "text" && line.indent === 0 && saysNoIssues(line.plain, at === all.length - 1),
  );
  if (findings.length === 0 && !saysNone) {
    unreadable('The answer has neither an issue line "file:line: severity: message" nor the line "No issues found".');
  }
  const odd = saysNone && text.split("\n").find((line) => /\b(?:error|warning|suggestion)\b[*_]*\s*:/i.test(line));
  if (odd && findings.length === 0)
    unreadable(`The answer says "No issues found", but has "${odd.trim().slice(0, 60)}".`);
  return {
    status: "complete",
    claim: findings.length === 0 ? "pass" : "fail",
    findings,
    summary: findings.length === 0 ? "No issues found" : `Found ${findings.length} issues`,
    rulings: [],
    notes:
      saysNone && findings.length > 0
        ? ["The answer says that there are no issues, but it lists some; they count."]
        : [],
  };
}

// Issue lines count wherever they stand, in quotes and code too: here a line can only add a finding, never take one away.
function readLines(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const line of text.split("\n")) {
    const shown = withoutEmphasis(line.replace(/^[\s>]*(?:[-*+•]\s+|\d+[.)]\s+)?/, "")).replaceAll("`", "");
    const found = /^([^\s:{}"][^:{}"]*):(\d+)(?:[-:]\d+)?:\s*\[?([A-Za-z]+)\]?\s*:\s*(.*)$/.exec(shown);
    const advice = /^\s+(?:suggestion|fix)\s*:\s*(.+)$/i.exec(line)?.[1];
    const last = findings.at(-1);
    if (found !== null) {
      const [, file = "", lineText = "", word = "", message = ""] = found;
      const severity = word.toLowerCase();
      if (message.trim() === "") unreadable(`"${shown.slice(0, 60)}" has no message.`);
      const lineNumber = decode.count(Number(lineText), `The line of "${shown.slice(0, 60)}"`);
      findings.push(toFinding(severity, message.trim(), file.trim(), lineNumber, undefined));
    } else if (advice !== undefined && last !== undefined && last.suggestion === undefined) {
      last.suggestion = advice.trim();
    }
  }
  return findings;
}

// A line that just stops may be the start of "No issues found in the tests, but …", so it needs its full stop or a line after it.
function saysNoIssues(line: string, isLast: boolean): boolean {
  const shown = withoutEmphasis(line);
  if (isLast && !/[.!]$/.test(shown)) return false;
  return /^(?:(?:code )?review (?:passed|complete)[:,] )?(?:no (?:issues|problems|findings)(?: were)? (?:found|identified|detected)|0 issues found)[.!]*$/i.test(
    shown,
  );
}

function toFinding(
  severity: string,
  message: string,
  file: string | undefined,
  line: number | undefined,
  suggestion: string | undefined,
): Finding {
  return {
    // The seed has no categories, so everything is about what the code does.
    category: "logic",
    severity:
      readSeverity(SEED, severity) ?? unreadable(`The severity "${severity}" of "${message.slice(0, 60)}" is unknown.`),
    title: headline(message),
    description: message,
    ...(suggestion === undefined || suggestion === "" ? {} : { suggestion }),
    ...(file === undefined || file === "" ? {} : { file }),
    ...(line === undefined || line === 0 ? {} : { line }),
    native: { seed: SEED, severity },
  };
}
