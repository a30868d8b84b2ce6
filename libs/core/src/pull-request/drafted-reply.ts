import { type AgentAnswer, reasonOf, unreadable, wholly } from "../read/answer/answer.ts";
import { count, fieldsOf, filled, inspect, listOf, optional, required } from "../read/json/decode.ts";
import { objectIn } from "../read/json/find-object.ts";
import { type AnswerSchema, listOf as lists, record, wordOf } from "../review/answer-schema.ts";

const WHOLE = ["actionableIssues", "questionsToAnswer", "requiresHumanDecision", "overallStatus"];
const QUESTION = ["sourceId", "author", "question", "suggestedResponse"];
const DECISION = ["sourceId", "reason"];
const SHAPE = {
  whole: ["questionsToAnswer"],
  inner: ["sourceId", "suggestedResponse"],
  telling: /"(?:questionsToAnswer|suggestedResponse)"\s*:/,
};

const text = { type: "string" } as const;
const whole = { type: "integer" } as const;
const textOrNull = { type: ["string", "null"] } as const;
const wholeOrNull = { type: ["integer", "null"] } as const;

/** Seed 001's analysed feedback, as structured output. */
export const draftedReplySchema: AnswerSchema = record({
  actionableIssues: lists(
    record({
      source: wordOf(["comment", "review", "check"]),
      sourceId: whole,
      author: text,
      severity: wordOf(["critical", "high", "medium", "low"]),
      file: textOrNull,
      line: wholeOrNull,
      description: text,
      suggestedAction: textOrNull,
    }),
  ),
  questionsToAnswer: lists(record({ sourceId: whole, author: text, question: text, suggestedResponse: textOrNull })),
  requiresHumanDecision: lists(record({ sourceId: whole, reason: text })),
  overallStatus: wordOf(["ready_to_fix", "needs_human_input", "blocked"]),
});

/** More than any forge takes as a comment. */
const LONGEST = 60_000;

/**
 * The reply that an analysis of feedback suggests to one question, or why there is none. Of what the analysis says about
 * anything else nothing is used.
 */
export function readDraftedReply(answer: AgentAnswer, sourceId: number): { draft: string } | { unreadable: string } {
  try {
    if (answer.finished !== true) return { unreadable: "The agent did not finish its answer." };
    const { value } = objectIn(answer, SHAPE);
    inspect(wholly, value, [...WHOLE, ...QUESTION, ...DECISION]);
    const place = "The analysis";
    const fields = fieldsOf(wholly, value, place, WHOLE, () => {});
    const drafts = required(fields, "questionsToAnswer", place, listOf(decodeQuestion));
    const own = drafts.filter((one) => one.sourceId === sourceId);
    if (own.length > 1) unreadable(`${place} answers the question ${sourceId} ${own.length} times.`);
    const draft = own[0]?.draft;
    if (draft !== undefined) return { draft: draft.length <= LONGEST ? draft : unreadable("The reply is too long.") };
    const decisions = optional(fields, "requiresHumanDecision", place, listOf(decodeDecision)) ?? [];
    const left = decisions.find((one) => one.sourceId === sourceId);
    if (left !== undefined) unreadable(`The agent leaves this one to you: ${left.reason}`);
    return unreadable(`${place} has no reply to the question ${sourceId}.`);
  } catch (error) {
    return { unreadable: reasonOf(error) };
  }
}

function decodeQuestion(value: unknown, path: string): { sourceId: number; draft: string | undefined } {
  const fields = fieldsOf(wholly, value, path, QUESTION, () => {});
  return {
    sourceId: required(fields, "sourceId", path, count),
    draft: optional(fields, "suggestedResponse", path, filled),
  };
}

function decodeDecision(value: unknown, path: string): { sourceId: number; reason: string } {
  const fields = fieldsOf(wholly, value, path, DECISION, () => {});
  return { sourceId: required(fields, "sourceId", path, count), reason: required(fields, "reason", path, filled) };
}
