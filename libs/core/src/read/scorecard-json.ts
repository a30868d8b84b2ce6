import type { CompleteReport, Finding, Report } from "@anneal/types";
import { CATEGORY_WORDS, readCategory, readSeverity } from "../words.ts";
import { type Answer, conclude, unreadable } from "./answer.ts";
import { clausesOfText } from "./clauses.ts";
import { COMPLIANCE_KEYS, decodeCompliance } from "./compliance.ts";
import * as decode from "./decode.ts";
import { demand as demandIn } from "./dissent.ts";
import { refuseTellingExtra } from "./extra-keys.ts";
import { type FoundAnswer, objectIn, refuseOtherwise } from "./find-object.ts";
import { headline } from "./headline.ts";
import { refuseDissent, refuseIssueLines } from "./own-words.ts";
import { decodeRuling, RULING_KEYS, refuseDoubleRulings } from "./rulings.ts";

const SEED = "scored";
const KEYS = [
  "ticket_id",
  "reviewed_at",
  "reviewer",
  "status",
  "overall_score",
  "revision_count",
  "dimension_scores",
  "findings",
  "blocking_issues",
  "revision_notes",
  "approved",
  "pass_criteria_met",
  "compliance",
  "rulings",
] as const;
const SHAPE = {
  whole: ["dimension_scores", "status", "approved", "overall_score"],
  inner: ["dimension", "severity", "score", "required_action", "fingerprint"],
  telling: /"dimension_scores"\s*:/,
};
const DIMENSIONS = Object.keys(CATEGORY_WORDS[SEED].read);
const WEIGHTS: Record<string, "critical" | "important" | "moderate"> = {
  requirement_adherence: "critical",
  coordination_compliance: "critical",
  code_quality: "important",
  pattern_consistency: "important",
  test_quality: "important",
  security_performance: "moderate",
};
const WEIGHT = { critical: 3, important: 2, moderate: 1 };
const LEAST = { critical: 90, important: 70, moderate: 0 };
const FINDING_KEYS = ["dimension", "severity", "file", "line", "message", "suggestion"];
const BLOCKING_KEYS = ["dimension", "message", "required_action"];
const CELL_KEYS = ["score", "weight"];
const OVERALL_LEAST = 75;
const CRITERIA = ["all_critical_dimensions_pass", "no_blocking_issues", "overall_score_above_threshold"] as const;

const NAMED = [
  ...KEYS,
  ...DIMENSIONS,
  ...CELL_KEYS,
  ...CRITERIA,
  ...FINDING_KEYS,
  ...BLOCKING_KEYS,
  ...RULING_KEYS,
  ...COMPLIANCE_KEYS,
];

/** Texts for people, which are cleaned; the ticket and the words that judge have to be what they are. */
const TOLD = /^(?:reviewer|reviewed_at|revision_notes(?:\[\d+\])?)$/;

/** Seed 002: the ReviewReport with six scored dimensions. */
export function readScorecardJson(answer: Answer): Report {
  return conclude(answer, () => decodeScorecard(objectIn(answer, SHAPE), answer.subject));
}

function decodeScorecard(found: FoundAnswer, subject: string | undefined): CompleteReport {
  const { value, prose } = found;
  const notes = decode.inspect(value, NAMED, TOLD);
  const place = "The review report";
  const extras: string[] = [];
  const fields = decode.fieldsOf(value, place, KEYS, (key) => extras.push(key));
  for (const key of ["reviewed_at", "reviewer"]) decode.required(fields, key, place, decode.filled);
  const ticket = decode.required(fields, "ticket_id", place, decode.filled);
  // A review of something else says nothing about this, however good it is.
  if (subject !== undefined && ticket !== subject) unreadable(`${place} is about ticket "${ticket.slice(0, 60)}".`);
  decode.required(fields, "revision_count", place, decode.count);

  const status = decode.required(fields, "status", place, decode.oneOf(["pass", "fail"]));
  const approved = decode.required(fields, "approved", place, decode.flag);
  if (approved !== (status === "pass")) unreadable(`${place} has the status "${status}" but approved is ${approved}.`);

  const scores = decode.required(fields, "dimension_scores", place, (cells, path) =>
    decodeScores(cells, path, approved),
  );
  const claimedOverall = decode.required(fields, "overall_score", place, decode.score);
  const criteria = decode.required(fields, "pass_criteria_met", place, decodeCriteria);
  const findings = decode.required(fields, "findings", place, decode.listOf(decodeFinding));
  const blocking = decode.required(fields, "blocking_issues", place, decode.listOf(decodeBlocking));
  const demand = decode.optional(fields, "revision_notes", place, decode.texts)?.trim();
  const rulings = decode.optional(fields, "rulings", place, decode.listOf(decodeRuling)) ?? [];
  refuseDoubleRulings(rulings);
  const compliance = decode.optional(fields, "compliance", place, decodeCompliance);
  for (const key of extras) {
    refuseTellingExtra(key, fields[key], approved);
    notes.push(decode.ignored(key));
  }
  if (approved) {
    refuseOtherwise(found);
    const texts = [demand ?? "", ...decode.pieces(fields.revision_notes)];
    refuseDissent({ prose, texts });
    refuseIssueLines(prose);
    const asked = demandIn(texts.flatMap(clausesOfText));
    if (asked !== undefined) unreadable(`The report is approved, but its revision_notes say "${asked.slice(0, 60)}".`);
  }

  const overall = weighted(scores);
  notes.push(...disagreements({ status, claimedOverall, overall, scores, blocking: blocking.length, criteria }));
  // The status is one word of the reviewer among several, and the strictest of them counts.
  const denied = [
    ...CRITERIA.filter((key) => !criteria[key]).map((key) => `pass_criteria_met.${key} is false`),
    ...(compliance !== undefined && compliance.unmet.length > 0 ? ["compliance.unmet is not empty"] : []),
    ...(claimedOverall < OVERALL_LEAST ? [`overall_score is ${claimedOverall}`] : []),
  ];
  if (approved && denied.length > 0) notes.push(`The status says pass, but ${denied.join(" and ")}; that counts.`);
  return {
    status: "complete",
    claim: approved && denied.length === 0 ? "pass" : "fail",
    findings: [...blocking, ...findings],
    summary: `Scored ${Math.round(overall * 10) / 10} of 100 overall; the reviewer says ${status}.`,
    ...(demand === undefined || demand === "" ? {} : { demand }),
    scores,
    ...(compliance === undefined ? {} : { compliance }),
    rulings,
    notes,
  };
}

function decodeScores(value: unknown, path: string, approved: boolean): Record<string, number> {
  const fields = decode.fieldsOf(value, path, DIMENSIONS, (key) => unreadable(`${path} has the unknown "${key}".`));
  return Object.fromEntries(
    DIMENSIONS.map((dimension) => [
      dimension,
      decode.required(fields, dimension, path, (cell, cellPath) => {
        const extras: string[] = [];
        const inner = decode.fieldsOf(cell, cellPath, CELL_KEYS, (key) => extras.push(key));
        if (approved) for (const key of extras) refuseTellingExtra(key, inner[key], approved);
        decode.required(inner, "weight", cellPath, decode.oneOf([WEIGHTS[dimension] ?? "moderate"]));
        return decode.required(inner, "score", cellPath, decode.score);
      }),
    ]),
  );
}

function decodeCriteria(value: unknown, path: string): Record<(typeof CRITERIA)[number], boolean> {
  const fields = decode.fieldsOf(value, path, CRITERIA, () => {});
  const met = (key: (typeof CRITERIA)[number]) => decode.required(fields, key, path, decode.flag);
  return {
    all_critical_dimensions_pass: met("all_critical_dimensions_pass"),
    no_blocking_issues: met("no_blocking_issues"),
    overall_score_above_threshold: met("overall_score_above_threshold"),
  };
}

function decodeFinding(value: unknown, path: string): Finding {
  const fields = decode.fieldsOf(value, path, FINDING_KEYS, () => {});
  const severity = decode.required(fields, "severity", path, decode.wordOf(["warning", "error", "info"]));
  const file = decode.optional(fields, "file", path, decode.fileName);
  const line = decode.optional(fields, "line", path, decode.lineNumber);
  const suggestion = decode.optional(fields, "suggestion", path, decode.string);
  return {
    ...finding(fields, path, severity),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
}

function decodeBlocking(value: unknown, path: string): Finding {
  const fields = decode.fieldsOf(value, path, BLOCKING_KEYS, () => {});
  const suggestion = decode.required(fields, "required_action", path, decode.string);
  return { ...finding(fields, path, "blocking"), suggestion };
}

function finding(fields: decode.Fields, path: string, severity: string): Finding {
  const dimension = decode.required(fields, "dimension", path, decode.wordOf(DIMENSIONS));
  const message = decode.required(fields, "message", path, decode.filled);
  return {
    category: readCategory(SEED, dimension) ?? unreadable(`${path}.dimension is unknown.`),
    severity: readSeverity(SEED, severity) ?? unreadable(`${path}.severity is unknown.`),
    title: headline(message),
    description: message,
    native: { seed: SEED, severity, category: dimension },
  };
}

function weighted(scores: Record<string, number>): number {
  const weights = DIMENSIONS.map((dimension) => WEIGHT[WEIGHTS[dimension] ?? "moderate"]);
  const sum = DIMENSIONS.reduce((total, dimension, at) => total + (scores[dimension] ?? 0) * (weights[at] ?? 0), 0);
  return sum / weights.reduce((total, weight) => total + weight, 0);
}

interface Claims {
  status: "pass" | "fail";
  claimedOverall: number;
  overall: number;
  scores: Record<string, number>;
  blocking: number;
  criteria: Record<(typeof CRITERIA)[number], boolean>;
}

/** What the reviewer says of its own numbers, against what the numbers say. The gate decides by the numbers. */
function disagreements(claims: Claims): string[] {
  const notes: string[] = [];
  const short = DIMENSIONS.filter(
    (dimension) => (claims.scores[dimension] ?? 0) < LEAST[WEIGHTS[dimension] ?? "moderate"],
  );
  const computed = {
    all_critical_dimensions_pass: !short.some((dimension) => WEIGHTS[dimension] === "critical"),
    no_blocking_issues: claims.blocking === 0,
    overall_score_above_threshold: claims.overall >= OVERALL_LEAST,
  };
  // One point of slack, because the seed's score is a whole number and models round either way.
  if (Math.abs(claims.claimedOverall - claims.overall) >= 1) {
    notes.push(`overall_score says ${claims.claimedOverall}, the dimensions give ${claims.overall.toFixed(1)}.`);
  }
  for (const key of CRITERIA) {
    if (claims.criteria[key] !== computed[key]) {
      notes.push(`pass_criteria_met.${key} says ${claims.criteria[key]}, the report gives ${computed[key]}.`);
    }
  }
  const earned = short.length === 0 && computed.no_blocking_issues && computed.overall_score_above_threshold;
  if (claims.status === "pass" && !earned) notes.push("The claimed pass is not earned by the scores and issues.");
  if (claims.status === "fail" && earned) notes.push("The report fails although its scores would pass.");
  return notes;
}
