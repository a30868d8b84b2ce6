import type { Finding, Report } from "@anneal/types";
import { CATEGORY_WORDS, readCategory, readSeverity } from "../findings/severity-and-category.ts";
import { oneLine } from "../text/text.ts";
import {
  type AgentAnswer,
  type AnswerReading,
  conclude,
  type ReadOptions,
  type ReadReport,
  unreadable,
} from "./answer/answer.ts";
import { headline } from "./answer/headline.ts";
import * as decode from "./json/decode.ts";
import { refuseExtra } from "./json/extra-keys.ts";
import { type FoundAnswer, objectIn, refuseOtherwise } from "./json/find-object.ts";
import { decodeRuling, RULING_KEYS, withoutDoubles } from "./json/rulings.ts";
import { COMPLIANCE_KEYS, decodeCompliance } from "./parts/compliance.ts";
import { decodeSignOff, requireShort, requireSignOff, SIGN_OFF_KEYS } from "./parts/sign-off.ts";
import { refuseIssueLines } from "./prose/issue-lines-beside.ts";

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
  "sign_off",
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
type Criteria = Record<(typeof CRITERIA)[number], boolean | undefined>;
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
  ...SIGN_OFF_KEYS,
];

/** Texts for people, which are cleaned; the ticket and the words that judge have to be what they are. */
const SHOWN_TEXTS = /^(?:reviewer|reviewed_at|revision_notes(?:\[\d+\])?)$/;

/** Seed 002: the ReviewReport with six scored dimensions. */
export function readScorecardJson(answer: AgentAnswer, options: ReadOptions = {}): Report {
  return conclude(answer, options, (reading) => decodeScorecard(reading, objectIn(answer, SHAPE), answer.subject));
}

function decodeScorecard(reading: AnswerReading, found: FoundAnswer, subject: string | undefined): ReadReport {
  const { value, prose } = found;
  decode.inspect(reading, value, NAMED, SHOWN_TEXTS);
  const place = "The review report";
  const extras: string[] = [];
  const fields = decode.fieldsOf(reading, value, place, KEYS, (key) => extras.push(key));
  const may = <T>(key: string, decoder: decode.Decoder<T>) =>
    reading.may(() => decode.required(fields, key, place, decoder), undefined);
  may("reviewed_at", decode.filled);
  may("reviewer", decode.filled);
  may("revision_count", decode.count);
  const ticket = may("ticket_id", decode.filled);
  // A review of something else says nothing about this, however good or bad it is.
  if (subject !== undefined && ticket !== undefined && ticket !== subject)
    unreadable(`${place} is about ticket "${ticket.slice(0, 60)}".`);

  const status = reading.need(() => decode.required(fields, "status", place, statusWord), undefined);
  const approved = reading.need(() => decode.required(fields, "approved", place, decode.flag), false);
  if (status !== undefined && approved !== (status === "pass"))
    reading.broke(`${place} has the status "${status}" but approved is ${approved}.`);
  const passes = approved && status === "pass";

  const scores = reading.need(
    () =>
      decode.required(fields, "dimension_scores", place, (cells, path) => decodeScores(reading, cells, path, approved)),
    {},
  );
  const claimedOverall = may("overall_score", decode.score);
  const criteria = may("pass_criteria_met", (cells, path) => decodeCriteria(reading, cells, path));
  const findings = reading.need(
    () => decode.required(fields, "findings", place, decode.itemsOf(reading, decodeFinding)),
    [],
  );
  const blocking = reading.need(
    () => decode.required(fields, "blocking_issues", place, decode.itemsOf(reading, decodeBlocking)),
    [],
  );
  const demand = reading.may(() => decode.optional(fields, "revision_notes", place, decode.texts)?.trim(), undefined);
  const rulings = reading.may(
    () => decode.optional(fields, "rulings", place, decode.itemsOf(reading, decodeRuling)),
    undefined,
  );
  const compliance = reading.need(() => decode.optional(fields, "compliance", place, decodeCompliance), undefined);
  const signOff = reading.may(() => decode.optional(fields, "sign_off", place, decodeSignOff(reading)), undefined);
  for (const key of extras) refuseExtra(reading, key, fields[key], approved);
  if (passes) {
    refuseOtherwise(reading, found);
    refuseIssueLines(reading, prose);
    requireShort(reading, prose, [demand ?? ""]);
    requireSignOff(reading, signOff, compliance);
  }

  const overall = weighted(scores);
  const claims = {
    status: passes ? "pass" : "fail",
    claimedOverall,
    overall,
    scores,
    blocking: blocking.length,
    criteria,
  } as const;
  disagreements(claims).forEach(reading.note);
  // The status is one word of the reviewer among several, and the strictest of them counts.
  const denied = [
    ...CRITERIA.filter((key) => criteria?.[key] === false).map((key) => `pass_criteria_met.${key} is false`),
    ...(compliance !== undefined && compliance.unmet.length > 0 ? ["compliance.unmet is not empty"] : []),
    ...(claimedOverall !== undefined && claimedOverall < OVERALL_LEAST ? [`overall_score is ${claimedOverall}`] : []),
  ];
  if (passes && denied.length > 0) reading.note(`The status says pass, but ${denied.join(" and ")}; that counts.`);
  return {
    status: "complete",
    claim: passes && denied.length === 0 ? "pass" : "fail",
    findings: [...blocking, ...findings],
    summary: `Scored ${Math.round(overall * 10) / 10} of 100 overall; the reviewer says ${passes ? "pass" : "fail"}.`,
    ...(demand === undefined || demand === "" ? {} : { demand }),
    scores,
    ...(compliance === undefined ? {} : { compliance }),
    rulings: withoutDoubles(reading, rulings ?? []),
  };
}

/** A pass has to be said to the letter; a fail in capitals is one all the same. */
function statusWord(value: unknown, path: string): "pass" | "fail" {
  return typeof value === "string" && value.toLowerCase() === "fail"
    ? "fail"
    : decode.oneOf(["pass", "fail"])(value, path);
}

function decodeScores(reading: AnswerReading, value: unknown, path: string, approved: boolean): Record<string, number> {
  const fields = decode.fieldsOf(reading, value, path, DIMENSIONS, (key) =>
    reading.problem(`${path} has the unknown "${oneLine(key)}".`),
  );
  // Weights are the policy's. Where none is repeated nothing is missing; a single one that is not there was lost.
  const bare = DIMENSIONS.every((dimension) => typeof fields[dimension] === "number");
  const unweighted = DIMENSIONS.every((dimension) => !Object.hasOwn(Object(fields[dimension]), "weight"));
  if (bare || unweighted) reading.note("The scores have no weights.");
  return Object.fromEntries(
    DIMENSIONS.map((dimension) => [
      dimension,
      reading.need(
        () =>
          decode.required(fields, dimension, path, (cell, at) => {
            const weight = WEIGHTS[dimension] ?? "moderate";
            const full = bare ? { score: cell, weight } : unweighted ? { ...Object(cell), weight } : cell;
            return scoreIn(reading, full, at, weight, approved);
          }),
        0,
      ),
    ]),
  );
}

function scoreIn(reading: AnswerReading, cell: unknown, path: string, weight: string, approved: boolean): number {
  const extras: string[] = [];
  const fields = decode.fieldsOf(reading, cell, path, CELL_KEYS, (key) => extras.push(key));
  for (const key of extras) refuseExtra(reading, key, fields[key], approved);
  reading.may(() => decode.required(fields, "weight", path, decode.oneOf([weight])), undefined);
  const { score } = fields;
  // A number as text is no score that could pass, but a low one is as low.
  if (typeof score === "string" && /^\d{1,3}(?:\.\d+)?$/.test(score)) {
    reading.problem(`${path}.score is "${score}" where a number from 0 to 100 was expected.`);
    return decode.score(Number(score), `${path}.score`);
  }
  return decode.required(fields, "score", path, decode.score);
}

function decodeCriteria(reading: AnswerReading, value: unknown, path: string): Criteria {
  const fields = decode.fieldsOf(reading, value, path, CRITERIA, () => {});
  const met = (key: (typeof CRITERIA)[number]) =>
    reading.may(() => decode.required(fields, key, path, decode.flag), undefined);
  return {
    all_critical_dimensions_pass: met("all_critical_dimensions_pass"),
    no_blocking_issues: met("no_blocking_issues"),
    overall_score_above_threshold: met("overall_score_above_threshold"),
  };
}

function decodeFinding(reading: AnswerReading, value: unknown, path: string): Finding {
  const fields = decode.fieldsOf(reading, value, path, FINDING_KEYS, () => {});
  const words = ["warning", "error", "info"] as const;
  const severity = reading.may(() => decode.required(fields, "severity", path, decode.wordOf(words)), "warning");
  const file = reading.may(() => decode.optional(fields, "file", path, decode.fileName), undefined);
  const line = reading.may(() => decode.optional(fields, "line", path, decode.lineNumber(reading)), undefined);
  const suggestion = reading.may(() => decode.optional(fields, "suggestion", path, decode.string), undefined);
  return {
    ...finding(reading, fields, path, severity),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(file === undefined ? {} : { file: reading.pathOf(file) }),
    ...(line === undefined ? {} : { line }),
  };
}

function decodeBlocking(reading: AnswerReading, value: unknown, path: string): Finding {
  const fields = decode.fieldsOf(reading, value, path, BLOCKING_KEYS, () => {});
  const suggestion = reading.may(() => decode.required(fields, "required_action", path, decode.string), undefined);
  return { ...finding(reading, fields, path, "blocking"), ...(suggestion === undefined ? {} : { suggestion }) };
}

function finding(reading: AnswerReading, fields: decode.Fields, path: string, severity: string): Finding {
  const dimension = reading.may(() => decode.required(fields, "dimension", path, decode.wordOf(DIMENSIONS)), undefined);
  const message = decode.required(fields, "message", path, decode.filled);
  return {
    category: readCategory(SEED, dimension ?? "") ?? "logic",
    severity: readSeverity(SEED, severity) ?? unreadable(`${path}.severity is unknown.`),
    title: headline(message),
    description: message,
    native: { seed: SEED, severity, ...(dimension === undefined ? {} : { category: dimension }) },
  };
}

function weighted(scores: Record<string, number>): number {
  const weights = DIMENSIONS.map((dimension) => WEIGHT[WEIGHTS[dimension] ?? "moderate"]);
  const sum = DIMENSIONS.reduce((total, dimension, at) => total + (scores[dimension] ?? 0) * (weights[at] ?? 0), 0);
  return sum / weights.reduce((total, weight) => total + weight, 0);
}

interface Claims {
  status: "pass" | "fail";
  claimedOverall: number | undefined;
  overall: number;
  scores: Record<string, number>;
  blocking: number;
  criteria: Criteria | undefined;
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
  if (claims.claimedOverall !== undefined && Math.abs(claims.claimedOverall - claims.overall) >= 1) {
    notes.push(`overall_score says ${claims.claimedOverall}, the dimensions give ${claims.overall.toFixed(1)}.`);
  }
  for (const key of CRITERIA) {
    const claimed = claims.criteria?.[key];
    if (claimed !== undefined && claimed !== computed[key]) {
      notes.push(`pass_criteria_met.${key} says ${claimed}, the report gives ${computed[key]}.`);
    }
  }
  const earned = short.length === 0 && computed.no_blocking_issues && computed.overall_score_above_threshold;
  if (claims.status === "pass" && !earned) notes.push("The claimed pass is not earned by the scores and issues.");
  if (claims.status === "fail" && earned) notes.push("The report fails although its scores would pass.");
  return notes;
}
