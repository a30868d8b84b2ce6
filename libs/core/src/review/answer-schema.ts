import type { Contract } from "@anneal/types";
import { CATEGORY_WORDS, SEVERITY_WORDS } from "../findings/severity-and-category.ts";

/** A JSON schema in the subset that all providers take: every key required, nothing else allowed, null for "none". */
export type AnswerSchema = Readonly<Record<string, unknown>>;

/**
 * The form of an answer as a JSON schema, for contracts whose reader takes structured output; text contracts have none.
 * Bounds of numbers, empty texts and whether the fields agree are beyond that subset: the reader refuses those.
 */
export function answerSchema(contract: Contract): AnswerSchema | undefined {
  return SCHEMAS[contract];
}

const text = { type: "string" } as const;
const flag = { type: "boolean" } as const;
const whole = { type: "integer" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const wholeOrNull = { type: ["integer", "null"] } as const;

export function record(properties: Record<string, AnswerSchema>): AnswerSchema {
  return { type: "object", properties, required: Object.keys(properties), additionalProperties: false };
}

export function listOf(items: AnswerSchema): AnswerSchema {
  return { type: "array", items };
}

export function wordOf(words: readonly string[]): AnswerSchema {
  return { type: "string", enum: words };
}

const rulings = listOf(
  record({ fingerprint: text, ruling: wordOf(["fixed", "open", "refuted"]), evidence: textOrNull }),
);

const signOff = record({
  requirements: text,
  not_reviewed: text,
  conditions: text,
  decision: wordOf(["approved", "rejected"]),
});

const verdict = record({
  verdict: wordOf(["pass", "needs_work", "critical_issues"]),
  issues: listOf(
    record({
      severity: wordOf(Object.keys(SEVERITY_WORDS["pull-request"].read)),
      category: wordOf(Object.keys(CATEGORY_WORDS["pull-request"].read)),
      file: textOrNull,
      lineStart: wholeOrNull,
      lineEnd: wholeOrNull,
      description: text,
      suggestedFix: textOrNull,
    }),
  ),
  summary: text,
  rulings,
  sign_off: signOff,
});

const dimension = wordOf(Object.keys(CATEGORY_WORDS.scored.read));
const scoreOf = (weight: string) => record({ score: { type: "number" }, weight: wordOf([weight]) });

const scorecard = record({
  ticket_id: text,
  reviewed_at: text,
  reviewer: text,
  status: wordOf(["pass", "fail"]),
  overall_score: { type: "number" },
  revision_count: whole,
  dimension_scores: record({
    requirement_adherence: scoreOf("critical"),
    coordination_compliance: scoreOf("critical"),
    code_quality: scoreOf("important"),
    pattern_consistency: scoreOf("important"),
    test_quality: scoreOf("important"),
    security_performance: scoreOf("moderate"),
  }),
  findings: listOf(
    record({
      dimension,
      severity: wordOf(["error", "warning", "info"]),
      file: textOrNull,
      line: wholeOrNull,
      message: text,
      suggestion: textOrNull,
    }),
  ),
  blocking_issues: listOf(record({ dimension, message: text, required_action: text })),
  revision_notes: textOrNull,
  approved: flag,
  pass_criteria_met: record({
    all_critical_dimensions_pass: flag,
    no_blocking_issues: flag,
    overall_score_above_threshold: flag,
  }),
  rulings,
  sign_off: signOff,
});

const result = record({
  passed: flag,
  summary: text,
  issues: listOf(
    record({
      file: textOrNull,
      line: wholeOrNull,
      severity: wordOf(Object.keys(SEVERITY_WORDS.advisory.read)),
      message: text,
      suggestion: textOrNull,
    }),
  ),
  sign_off: signOff,
});

const SCHEMAS: Record<Contract, AnswerSchema | undefined> = {
  "verdict-json": verdict,
  "scorecard-json": scorecard,
  "issue-lines": result,
  "decision-text": undefined,
  "findings-document": undefined,
};
