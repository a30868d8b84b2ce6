import type { CompleteReport, Finding, Report } from "@anneal/types";
import { readSeverity, SEVERITY_WORDS } from "../words.ts";
import { type Answer, admit, conclude, unreadable } from "./answer.ts";
import * as decode from "./decode.ts";
import { refuseTellingExtra } from "./extra-keys.ts";
import { type FoundAnswer, findObject, objectIn, refuseOtherwise } from "./find-object.ts";
import { headline } from "./headline.ts";
import { type Line, linesOf, withoutEmphasis } from "./markdown.ts";
import { isStatement, saysOnlyNoIssues } from "./no-issues.ts";
import { refuseDissent, refuseIssueLines } from "./own-words.ts";
import { readPriorityLine } from "./priority-line.ts";

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
    if (answer.structured !== undefined) return decodeResult(objectIn(answer, SHAPE), []);
    const text = admit(answer.text);
    const found = findObject(text, SHAPE);
    const listed = readLines(text);
    if (found === undefined) return fromLines(linesOf(text), listed);
    const report = decodeResult(found, listed);
    const inside = /:\d+:\s*(?:error|warning|suggestion)\s*:/i.exec(text)?.[0];
    if (report.claim === "pass" && inside !== undefined)
      unreadable(`The result says passed, but the answer has "${inside}".`);
    return report;
  });
}

function decodeResult(answer: FoundAnswer, listed: Finding[]): CompleteReport {
  const { value, prose } = answer;
  const notes = decode.inspect(value, [...KEYS, ...ISSUE_KEYS]);
  const place = "The review result";
  const extras: string[] = [];
  const fields = decode.fieldsOf(value, place, KEYS, (key) => extras.push(key));
  const passed = decode.required(fields, "passed", place, decode.flag);
  const issues = decode.required(fields, "issues", place, decode.listOf(decodeIssue));
  const findings = [...issues, ...listed];
  const summary = decode.required(fields, "summary", place, decode.filled);
  for (const key of extras) {
    refuseTellingExtra(key, fields[key], passed);
    notes.push(decode.ignored(key));
  }
  if (passed && findings.length === 0) {
    refuseOtherwise(answer);
    refuseDissent({ prose, texts: [summary] });
    refuseIssueLines(prose);
  }
  if (passed && findings.length > 0) notes.push("The result says passed, but it has issues; they count.");
  return {
    status: "complete",
    claim: passed && findings.length === 0 ? "pass" : "fail",
    findings,
    summary,
    rulings: [],
    notes,
  };
}

function decodeIssue(value: unknown, path: string): Finding {
  const fields = decode.fieldsOf(value, path, ISSUE_KEYS, () => {});
  const severity = decode.required(fields, "severity", path, decode.wordOf(SEVERITIES));
  const message = decode.required(fields, "message", path, decode.filled);
  const file = decode.optional(fields, "file", path, decode.fileName);
  const line = decode.optional(fields, "line", path, decode.count);
  const suggestion = decode.optional(fields, "suggestion", path, decode.string);
  return toFinding(severity, message, file, line, suggestion);
}

function fromLines(lines: Line[], findings: Finding[]): CompleteReport {
  const saysNone = findings.length === 0 ? saysOnlyNoIssues(lines) : lines.some(isStatement);
  if (findings.length === 0 && !saysNone) {
    unreadable('The answer has neither an issue line "file:line: severity: message" nor the line "No issues found".');
  }
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

const ISSUE_LINE = /^((?:[A-Za-z]:\\)?[^\s:{}"][^:{}"]*):(\d+)(?:[-:]\d+)?:\s*\[?([A-Za-z]+)\]?\s*:\s*(.*)$/;
const LOOSE_ISSUE_LINE =
  /^([^\s:{}"][^:{}"]*):(\d+)(?:[-:]\d+)?(?::\s*\[?|\s+[-–—]\s+)(error|warning|suggestion)(?:\]|\s+[-–—])\s*(.*)$/i;

// Issue lines count wherever they stand, in quotes and code too: here a line can only add a finding, never take one away.
function readLines(text: string): Finding[] {
  const findings: Finding[] = [];
  for (const line of text.split("\n")) {
    const shown = withoutEmphasis(line.replace(/^[\s>]*(?:[-*+•]\s+|\d+[.)]\s+)?/, "")).replaceAll("`", "");
    const listed = readPriorityLine(shown);
    const found = ISSUE_LINE.exec(shown) ?? LOOSE_ISSUE_LINE.exec(shown);
    const advice = /^\s+(?:suggestion|fix)\s*:\s*(.+)$/i.exec(line)?.[1];
    const last = findings.at(-1);
    if (listed !== undefined) {
      const { priority, word, title, ...place } = listed;
      const native = { seed: SEED, severity: priority } as const;
      findings.push({ ...toFinding(word, title, undefined, undefined, undefined), title, ...place, native });
    } else if (found !== null) {
      const [, file = "", lineText = "", word = "", message = ""] = found;
      const severity = word.toLowerCase();
      if (message.trim() === "") unreadable(`"${shown.slice(0, 60)}" has no message.`);
      const lineNumber = decode.count(Number(lineText), `The line of "${shown.slice(0, 60)}"`);
      findings.push(toFinding(severity, message.trim(), file.trim(), lineNumber, undefined));
    } else if (advice !== undefined && last !== undefined && last.suggestion === undefined) {
      last.suggestion = advice.trim();
    } else if (last?.native?.severity?.startsWith("P") && /^\s+\S/.test(line)) {
      last.description += `\n${line.trim()}`;
    }
  }
  return findings;
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
