import type { CompleteReport, Finding, Report } from "@anneal/types";
import { CATEGORY_WORDS, readCategory, readSeverity, SEVERITY_WORDS } from "../words.ts";
import { type Answer, conclude, unreadable } from "./answer.ts";
import { COMPLIANCE_KEYS, decodeCompliance } from "./compliance.ts";
import {
  fieldsOf,
  fileName,
  filled,
  ignored,
  inspect,
  lineNumber,
  listOf,
  oneOf,
  optional,
  required,
  string,
  wordOf,
} from "./decode.ts";
import { refuseTellingExtra } from "./extra-keys.ts";
import { type FoundAnswer, objectIn, refuseOtherwise } from "./find-object.ts";
import { headline } from "./headline.ts";
import { refuseDissent, refuseIssueLines } from "./own-words.ts";
import { decodeRuling, RULING_KEYS, refuseDoubleRulings } from "./rulings.ts";

const SEED = "pull-request";
const KEYS = ["verdict", "issues", "summary", "compliance", "rulings", "iteration", "timestamp"] as const;
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
export function readVerdictJson(answer: Answer): Report {
  return conclude(answer, () => decodeVerdict(objectIn(answer, SHAPE)));
}

function decodeVerdict(found: FoundAnswer): CompleteReport {
  const { value, prose } = found;
  const notes = inspect(value, [...KEYS, ...ISSUE_KEYS, ...RULING_KEYS, ...COMPLIANCE_KEYS]);
  const extras: string[] = [];
  const fields = fieldsOf(value, "The review", KEYS, (key) => extras.push(key));
  const verdict = required(fields, "verdict", "The review", oneOf(["pass", "needs_work", "critical_issues"]));
  const claimsPass = verdict === "pass";
  const summary = required(fields, "summary", "The review", filled);
  for (const key of extras) {
    refuseTellingExtra(key, fields[key], claimsPass);
    notes.push(ignored(key));
  }
  if (claimsPass) {
    refuseOtherwise(found);
    refuseDissent({ prose, texts: [summary] });
    refuseIssueLines(prose);
  }
  const rulings = optional(fields, "rulings", "The review", listOf(decodeRuling)) ?? [];
  refuseDoubleRulings(rulings);
  const compliance = optional(fields, "compliance", "The review", decodeCompliance);
  const unmet = compliance?.unmet.length ?? 0;
  if (claimsPass && unmet > 0) notes.push(`The verdict is pass although ${unmet} requirements are listed as unmet.`);
  const list = listOf((issue, path) => decodeIssue(issue, path, notes));
  const findings = required(fields, "issues", "The review", list);
  // What it calls critical and does not list cannot be weighed: its words are all that there is.
  const isUnlisted = verdict === "critical_issues" && !findings.some(({ severity }) => severity === "critical");
  return {
    status: "complete",
    claim: claimsPass && unmet === 0 ? "pass" : "fail",
    findings,
    summary,
    ...(isUnlisted ? { demand: summary } : {}),
    ...(compliance === undefined ? {} : { compliance }),
    rulings,
    notes,
  };
}

function decodeIssue(value: unknown, path: string, notes: string[]): Finding {
  const fields = fieldsOf(value, path, ISSUE_KEYS, (key) => notes.push(ignored(key, ` in ${path}`)));
  const severity = required(fields, "severity", path, wordOf(SEVERITIES));
  const category = required(fields, "category", path, wordOf(CATEGORIES));
  const description = required(fields, "description", path, filled);
  const file = optional(fields, "file", path, fileName);
  const line = optional(fields, "lineStart", path, lineNumber);
  const endLine = optional(fields, "lineEnd", path, lineNumber);
  const suggestion = optional(fields, "suggestedFix", path, string);
  if (endLine !== undefined && line === undefined) unreadable(`${path} has a lineEnd without a lineStart.`);
  if (line !== undefined && endLine !== undefined && line > endLine) {
    unreadable(`${path} starts at line ${line}, after its end at line ${endLine}.`);
  }
  return {
    category: readCategory(SEED, category) ?? unreadable(`${path}.category is unknown.`),
    severity: readSeverity(SEED, severity) ?? unreadable(`${path}.severity is unknown.`),
    title: headline(description),
    description,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    ...(endLine === undefined ? {} : { endLine }),
    native: { seed: SEED, severity, category },
  };
}
