import type { Finding, Report } from "@anneal/types";
import { readSeverity, SEVERITY_WORDS } from "../words.ts";
import { type Answer, admit, conclude, type Read, type Reading, type ReadOptions, unreadable } from "./answer.ts";
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
export function readIssueLines(answer: Answer, options: ReadOptions = {}): Report {
  return conclude(answer, options, (reading) => {
    if (answer.structured !== undefined) return decodeResult(reading, objectIn(answer, SHAPE), []);
    const text = admit(answer.text);
    const found = findObject(text, SHAPE);
    const listed = readLines(reading, text);
    if (found === undefined) return fromLines(reading, linesOf(text), listed);
    const report = decodeResult(reading, found, listed);
    const inside = /:\d+:\s*(?:error|warning|suggestion)\s*:/i.exec(text)?.[0];
    if (report.claim === "pass" && inside !== undefined)
      reading.problem(`The result says passed, but the answer has "${inside}".`);
    return report;
  });
}

function decodeResult(reading: Reading, answer: FoundAnswer, listed: Finding[]): Read {
  const { value, prose } = answer;
  decode.inspect(reading, value, [...KEYS, ...ISSUE_KEYS]);
  const place = "The review result";
  const extras: string[] = [];
  const fields = decode.fieldsOf(reading, value, place, KEYS, (key) => extras.push(key));
  const passed = reading.need(() => decode.required(fields, "passed", place, decode.flag), false);
  const items = decode.itemsOf(reading, decodeIssue);
  const issues = reading.need(() => decode.required(fields, "issues", place, items), []);
  const findings = [...issues, ...listed];
  const summary = reading.may(() => decode.required(fields, "summary", place, decode.filled), "");
  for (const key of extras) {
    refuseTellingExtra(reading, key, fields[key], passed);
    reading.note(decode.ignored(key));
  }
  if (passed && findings.length === 0) {
    refuseOtherwise(reading, answer);
    refuseDissent(reading, { prose, texts: [summary] });
    refuseIssueLines(reading, prose);
  }
  if (passed && findings.length > 0) reading.note("The result says passed, but it has issues; they count.");
  return {
    status: "complete",
    claim: passed && findings.length === 0 ? "pass" : "fail",
    findings,
    summary,
    rulings: [],
  };
}

function decodeIssue(reading: Reading, value: unknown, path: string): Finding {
  const fields = decode.fieldsOf(reading, value, path, ISSUE_KEYS, () => {});
  const severity = reading.may(() => decode.required(fields, "severity", path, decode.wordOf(SEVERITIES)), "warning");
  const message = decode.required(fields, "message", path, decode.filled);
  const file = reading.may(() => decode.optional(fields, "file", path, decode.fileName), undefined);
  const line = reading.may(() => decode.optional(fields, "line", path, decode.lineNumber(reading)), undefined);
  const suggestion = reading.may(() => decode.optional(fields, "suggestion", path, decode.string), undefined);
  return toFinding(reading, severity, message, file, line, suggestion);
}

function fromLines(reading: Reading, lines: Line[], findings: Finding[]): Read {
  const saysNone = findings.length === 0 ? saysOnlyNoIssues(reading, lines) : lines.some(isStatement);
  if (findings.length === 0 && !saysNone) {
    unreadable('The answer has neither an issue line "file:line: severity: message" nor the line "No issues found".');
  }
  if (saysNone && findings.length > 0)
    reading.note("The answer says that there are no issues, but it lists some; they count.");
  return {
    status: "complete",
    claim: findings.length === 0 ? "pass" : "fail",
    findings,
    summary: findings.length === 0 ? "No issues found" : `Found ${findings.length} issues`,
    rulings: [],
  };
}

const ISSUE_LINE = /^((?:[A-Za-z]:\\)?[^\s:{}"][^:{}"]*):(\d+)(?:[-:]\d+)?:\s*\[?([A-Za-z]+)\]?\s*:\s*(.*)$/;
const LOOSE_ISSUE_LINE =
  /^([^\s:{}"][^:{}"]*):(\d+)(?:[-:]\d+)?(?::\s*\[?|\s+[-–—]\s+)(error|warning|suggestion)(?:\]|\s+[-–—])\s*(.*)$/i;

// Issue lines count wherever they stand, in quotes and code too: here a line can only add a finding, never take one away.
function readLines(reading: Reading, text: string): Finding[] {
  const findings: Finding[] = [];
  for (const line of text.split("\n")) {
    const shown = withoutEmphasis(line.replace(/^[\s>]*(?:[-*+•]\s+|\d+[.)]\s+)?/, "")).replaceAll("`", "");
    const advice = /^\s+(?:suggestion|fix)\s*:\s*(.+)$/i.exec(line)?.[1];
    const last = findings.at(-1);
    const found = reading.may(() => readLine(reading, shown), "unread");
    if (found === "unread") continue;
    if (found !== undefined) findings.push(found);
    else if (advice !== undefined && last !== undefined && last.suggestion === undefined) {
      last.suggestion = advice.trim();
    } else if (last?.native?.severity?.startsWith("P") && /^\s+\S/.test(line)) {
      last.description += `\n${line.trim()}`;
    }
  }
  return findings;
}

function readLine(reading: Reading, shown: string): Finding | undefined {
  const listed = readPriorityLine(shown, reading);
  if (listed !== undefined) {
    const { priority, word, title, ...place } = listed;
    const native = { seed: SEED, severity: priority } as const;
    return { ...toFinding(reading, word, title, undefined, undefined, undefined), title, ...place, native };
  }
  const found = ISSUE_LINE.exec(shown) ?? LOOSE_ISSUE_LINE.exec(shown);
  if (found === null) return undefined;
  const [, file = "", lineText = "", word = "", message = ""] = found;
  if (message.trim() === "") unreadable(`"${shown.slice(0, 60)}" has no message.`);
  const lineNumber = decode.count(Number(lineText), `The line of "${shown.slice(0, 60)}"`);
  return toFinding(reading, word.toLowerCase(), message.trim(), file.trim(), lineNumber, undefined);
}

function toFinding(
  reading: Reading,
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
    ...(file === undefined || file === "" ? {} : { file: reading.pathOf(file) }),
    ...(line === undefined || line === 0 ? {} : { line }),
    native: { seed: SEED, severity },
  };
}
