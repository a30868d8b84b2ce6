import type { Finding, Report } from "@anneal/types";
import { CATEGORY_WORDS, readCategory, readSeverity, SEVERITY_WORDS } from "../findings/severity-and-category.ts";
import {
  type AgentAnswer,
  type AnswerReading,
  conclude,
  type ReadOptions,
  type ReadReport,
  unreadable,
} from "./answer/answer.ts";
import { headline } from "./answer/headline.ts";
import {
  fieldsOf,
  fileName,
  filled,
  ignored,
  inspect,
  itemsOf,
  lineNumber,
  oneOf,
  optional,
  required,
  string,
  wordOf,
} from "./json/decode.ts";
import { refuseExtra } from "./json/extra-keys.ts";
import { type FoundAnswer, objectIn, refuseOtherwise } from "./json/find-object.ts";
import { decodeRuling, RULING_KEYS, withoutDoubles } from "./json/rulings.ts";
import { COMPLIANCE_KEYS, decodeCompliance } from "./parts/compliance.ts";
import { decodeSignOff, requireShort, requireSignOff, SIGN_OFF_KEYS } from "./parts/sign-off.ts";
import { refuseIssueLines } from "./prose/issue-lines-beside.ts";

const SEED = "pull-request";
const KEYS = ["verdict", "issues", "summary", "compliance", "rulings", "sign_off", "iteration", "timestamp"] as const;
const ISSUE_KEYS = [
  "id",
  "severity",
  "category",
  "file",
  "lineStart",
  "lineEnd",
  "description",
  "suggestedFix",
] as const;
const SHAPE = {
  whole: ["verdict", "issues"],
  inner: ["severity", "category", "suggestedFix", "fingerprint"],
  telling: /"verdict"\s*:|^\s*verdict\s*:\s*["']?(?:needs_work|critical_issues)/,
};
const SEVERITIES = Object.keys(SEVERITY_WORDS[SEED].read);
const CATEGORIES = Object.keys(CATEGORY_WORDS[SEED].read);

/** Seed 001: a JSON object with verdict, issues and summary. */
export function readVerdictJson(answer: AgentAnswer, options: ReadOptions = {}): Report {
  return conclude(answer, options, (reading) => decodeVerdict(reading, objectIn(answer, SHAPE)));
}

function decodeVerdict(reading: AnswerReading, found: FoundAnswer): ReadReport {
  const { value, prose } = found;
  inspect(reading, value, [...KEYS, ...ISSUE_KEYS, ...RULING_KEYS, ...COMPLIANCE_KEYS, ...SIGN_OFF_KEYS]);
  const place = "The review";
  const extras: string[] = [];
  const fields = fieldsOf(reading, value, place, KEYS, (key) => extras.push(key));
  const verdict = reading.need(() => required(fields, "verdict", place, verdictWord), "needs_work");
  const findings = reading.need(() => required(fields, "issues", place, itemsOf(reading, decodeIssue)), []);
  const summary = reading.may(() => required(fields, "summary", place, filled), "");
  const rulings = reading.may(() => optional(fields, "rulings", place, itemsOf(reading, decodeRuling)), undefined);
  const claimsPass = verdict === "pass";
  for (const key of extras) refuseExtra(reading, key, fields[key], claimsPass);
  const compliance = reading.need(() => optional(fields, "compliance", place, decodeCompliance), undefined);
  const signOff = reading.may(() => optional(fields, "sign_off", place, decodeSignOff(reading)), undefined);
  if (claimsPass) {
    refuseOtherwise(reading, found);
    refuseIssueLines(reading, prose);
    requireShort(reading, prose, [summary]);
    requireSignOff(reading, signOff, compliance);
  }
  // What it calls critical and does not list cannot be weighed: its words are all that there is.
  const isUnlisted = verdict === "critical_issues" && !findings.some(({ severity }) => severity === "critical");
  return {
    status: "complete",
    claim: claimsPass ? "pass" : "fail",
    findings,
    summary,
    ...(isUnlisted ? { demand: summary } : {}),
    ...(compliance === undefined ? {} : { compliance }),
    rulings: withoutDoubles(reading, rulings ?? []),
  };
}

/** A pass has to be said to the letter; the other words can only fail a change. */
function verdictWord(value: unknown, path: string): "pass" | "needs_work" | "critical_issues" {
  const words = ["pass", "needs_work", "critical_issues"] as const;
  return value !== "pass" && typeof value === "string" && !/pass/i.test(value)
    ? wordOf(words)(value, path)
    : oneOf(words)(value, path);
}

function decodeIssue(reading: AnswerReading, value: unknown, path: string): Finding {
  const fields = fieldsOf(reading, value, path, ISSUE_KEYS, (key) => reading.note(ignored(key, ` in ${path}`)));
  const severity = reading.may(() => required(fields, "severity", path, wordOf(SEVERITIES)), UNKNOWN);
  const category = reading.may(() => required(fields, "category", path, wordOf(CATEGORIES)), undefined);
  const description = required(fields, "description", path, filled);
  const file = reading.may(() => optional(fields, "file", path, fileName), undefined);
  const line = reading.may(() => optional(fields, "lineStart", path, lineNumber(reading)), undefined);
  const end = reading.may(() => optional(fields, "lineEnd", path, lineNumber(reading)), undefined);
  const suggestion = reading.may(() => optional(fields, "suggestedFix", path, string), undefined);
  if (end !== undefined && line === undefined) reading.problem(`${path} has a lineEnd without a lineStart.`);
  if (line !== undefined && end !== undefined && line > end) {
    reading.problem(`${path} starts at line ${line}, after its end at line ${end}.`);
  }
  const endLine = line === undefined || end === undefined || line > end ? undefined : end;
  return {
    category: readCategory(SEED, category ?? "") ?? "logic",
    severity: readSeverity(SEED, severity) ?? unreadable(`${path}.severity is unknown.`),
    title: headline(description),
    description,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(file === undefined ? {} : { file: reading.pathOf(file) }),
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
    native: { seed: SEED, severity, ...(category === undefined ? {} : { category }) },
  };
}

/** What a severity counts as that cannot be read: it keeps the answer from passing, and fails nothing by itself. */
const UNKNOWN = "medium";
