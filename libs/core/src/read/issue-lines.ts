import type { Finding, Report } from "@anneal/types";
import { readSeverity, SEVERITY_WORDS } from "../findings/severity-and-category.ts";
import {
  type AgentAnswer,
  type AnswerReading,
  admit,
  conclude,
  type ReadOptions,
  type ReadReport,
  unreadable,
} from "./answer/answer.ts";
import { headline } from "./answer/headline.ts";
import * as decode from "./json/decode.ts";
import { refuseExtra } from "./json/extra-keys.ts";
import { type FoundAnswer, findObject, objectIn, refuseOtherwise } from "./json/find-object.ts";
import { readPriorityLine } from "./parts/priority-line.ts";
import { decodeSignOff, requireShort, requireSignOff, SIGN_OFF_KEYS } from "./parts/sign-off.ts";
import { refuseIssueLines } from "./prose/issue-lines-beside.ts";
import { type AnswerLine, linesOf, withoutEmphasis } from "./prose/markdown.ts";
import { saysOnlyNoIssues, statesNoIssues } from "./prose/no-issues.ts";

const SEED = "advisory";
const SEVERITIES = Object.keys(SEVERITY_WORDS[SEED].read);
const KEYS = ["passed", "summary", "issues", "sign_off"] as const;
const ISSUE_KEYS = ["file", "line", "severity", "message", "suggestion"] as const;

const SHAPE = {
  // Go's capitalised names are looked for as well, so that they are refused by name.
  whole: ["passed", "issues", "Passed", "Issues"],
  inner: ["severity", "message", "Severity", "Message"],
  telling: /"(?:passed|severity)"\s*:/,
};

/** Seed 004: `file:line: severity: message` lines, or a JSON object inside prose. */
export function readIssueLines(answer: AgentAnswer, options: ReadOptions = {}): Report {
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

function decodeResult(reading: AnswerReading, answer: FoundAnswer, listed: Finding[]): ReadReport {
  const { value, prose } = answer;
  decode.inspect(reading, value, [...KEYS, ...ISSUE_KEYS, ...SIGN_OFF_KEYS]);
  const place = "The review result";
  const extras: string[] = [];
  const fields = decode.fieldsOf(reading, value, place, KEYS, (key) => extras.push(key));
  const passed = reading.need(() => decode.required(fields, "passed", place, decode.flag), false);
  const items = decode.itemsOf(reading, decodeIssue);
  const issues = reading.need(() => decode.required(fields, "issues", place, items), []);
  const findings = [...issues, ...listed];
  const summary = reading.may(() => decode.required(fields, "summary", place, decode.filled), "");
  const signOff = reading.may(() => decode.optional(fields, "sign_off", place, decodeSignOff(reading)), undefined);
  for (const key of extras) refuseExtra(reading, key, fields[key], passed);
  if (passed && findings.length === 0) {
    refuseOtherwise(reading, answer);
    refuseIssueLines(reading, prose);
    requireShort(reading, prose, [summary]);
    requireSignOff(reading, signOff, undefined);
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

function decodeIssue(reading: AnswerReading, value: unknown, path: string): Finding {
  const fields = decode.fieldsOf(reading, value, path, ISSUE_KEYS, () => {});
  const severity = reading.may(() => decode.required(fields, "severity", path, decode.wordOf(SEVERITIES)), "warning");
  const message = decode.required(fields, "message", path, decode.filled);
  const file = reading.may(() => decode.optional(fields, "file", path, decode.fileName), undefined);
  const line = reading.may(() => decode.optional(fields, "line", path, decode.lineNumber(reading)), undefined);
  const suggestion = reading.may(() => decode.optional(fields, "suggestion", path, decode.string), undefined);
  return toFinding(reading, severity, message, file, line, suggestion);
}

function fromLines(reading: AnswerReading, lines: AnswerLine[], listed: Finding[]): ReadReport {
  const saysNone = listed.length === 0 ? saysOnlyNoIssues(reading, lines) : statesNoIssues(lines);
  const findings = listed.length > 0 || saysNone ? listed : statedIssues(reading, lines);
  if (findings.length === 0 && !saysNone) {
    unreadable('The answer has neither an issue line "file:line: severity: message" nor the line "No issues found".');
  }
  if (findings.length === 0) requireSignOff(reading, undefined, undefined);
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
function readLines(reading: AnswerReading, text: string): Finding[] {
  const findings: Finding[] = [];
  let announced = false;
  for (const line of text.split("\n")) {
    const shown = withoutEmphasis(line.replace(/^[\s>]*(?:[-*+•]\s+|\d+[.)]\s+)?/, "")).replaceAll("`", "");
    const advice = /^\s+(?:suggestion|fix)\s*:\s*(.+)$/i.exec(line)?.[1];
    const last = findings.at(-1);
    announced =
      line.trim() === "" ? announced : ANNOUNCES.test(shown) || (announced && /^\s*(?:[-*+•]|\d+[.)])\s/.test(line));
    const found = reading.may(() => readLine(reading, shown, announced), "unread");
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

const PLACE = /([\w@/.-]*\w\.\w+):(\d+)/;

/** Where there is neither a list nor the statement that there is nothing, a sentence that says so can only mean a finding. */
function statedIssues(reading: AnswerReading, lines: AnswerLine[]): Finding[] {
  const own = lines.filter((line) => line.kind === "text" && STATES_ISSUE.test(line.text) && PLACE.test(line.text));
  return own.map((line) => {
    const [, file, number] = PLACE.exec(line.text) ?? [];
    reading.note(
      `"${line.text.trim().slice(0, 60)}" is not of the form "file:line: severity: message", but was read as one.`,
    );
    return toFinding(reading, "error", line.text.trim(), file, Number(number), undefined);
  });
}

const STATES_ISSUE =
  /^(?:there is|I (?:found|see)) (?:an?|one) (?:\w+ ){0,2}(?:bug|defect|error|issue|problem) (?:in|at)\b/i;

/** A list that is announced as one of issues may leave their severities out. */
const ANNOUNCES =
  /^(?!.*\b(?:no|not|none|without)\b).*\b(?:following|these)\b.*\b(?:issues|problems|bugs|defects|findings)\b.*:\s*$|^(?:issues|problems|bugs|findings)(?: found)?:\s*$/i;
const PLACED_ITEM = /^([^\s:{}"|]+):(\d+)(?:[-:–]\d+)?\s*(?::|\s[-–—])\s+(.*)$/;
const SEVERITY_FIRST =
  /^(?:\p{Extended_Pictographic}|\uFE0F|\s)*\[?(error|warning|suggestion)\]?\s*[:–—-]?\s+([^\s:|]+):(\d+)(?:[-:–]\d+)?\s*(?::|\s[-–—])\s+(.*)$/iu;
const TABLE_ROW = /^\|\s*(error|warning|suggestion)\s*\|\s*([^\s:|]+):(\d+)(?:[-–]\d+)?\s*\|\s*(.*?)\s*\|?$/i;

function readLine(reading: AnswerReading, shown: string, announced: boolean): Finding | undefined {
  const listed = readPriorityLine(shown, reading);
  if (listed !== undefined) {
    const { priority, word, title, ...place } = listed;
    const native = { seed: SEED, severity: priority } as const;
    return { ...toFinding(reading, word, title, undefined, undefined, undefined), title, ...place, native };
  }
  const found = ISSUE_LINE.exec(shown) ?? LOOSE_ISSUE_LINE.exec(shown);
  const turned = SEVERITY_FIRST.exec(shown) ?? TABLE_ROW.exec(shown);
  const item = announced ? PLACED_ITEM.exec(shown) : null;
  const parts =
    found ??
    (turned && [turned[0], turned[2], turned[3], turned[1], turned[4]]) ??
    (item && [item[0], item[1], item[2], "warning", item[3]]);
  if (parts === null) return undefined;
  const [, file = "", lineText = "", word = "", message = ""] = parts;
  if (message.trim() === "") unreadable(`"${shown.slice(0, 60)}" has no message.`);
  const lineNumber = decode.count(Number(lineText), `The line of "${shown.slice(0, 60)}"`);
  return toFinding(reading, word.toLowerCase(), message.trim(), file.trim(), lineNumber, undefined);
}

function toFinding(
  reading: AnswerReading,
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
