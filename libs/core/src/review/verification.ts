import type { Finding, PassRule, Verification } from "@anneal/types";
import { blocks } from "../findings/blocking.ts";
import { normalise } from "../findings/fingerprint.ts";
import { type AgentAnswer, reasonOf, unreadable, wholly } from "../read/answer/answer.ts";
import { count, fieldsOf, filled, inspect, listOf, oneOf, optional, required, string } from "../read/json/decode.ts";
import { objectIn } from "../read/json/find-object.ts";
import { type AnswerSchema, listOf as lists, record, wordOf } from "./answer-schema.ts";

/** What the second agent says of one finding. */
export interface VerificationRuling {
  result: Verification["result"];
  evidence: string;
  /** Code that stands in the finding's file. */
  quote: string;
}

const RESULTS = ["confirmed", "refuted", "unconfirmed"] as const;
const SHAPE = { whole: ["rulings"], inner: ["finding", "ruling", "evidence", "quote"], telling: /"rulings"\s*:/ };

export const verificationSchema: AnswerSchema = record({
  rulings: lists(
    record({
      finding: { type: "integer" },
      ruling: wordOf(RESULTS),
      evidence: { type: "string" },
      quote: { type: ["string", "null"] },
    }),
  ),
});

/** Whether a second agent is asked about a finding. What a named check found in matters of security is not open to argument. */
export function isVerifiable(pass: Pick<PassRule, "blocksAt">, finding: Finding): boolean {
  return blocks(pass, finding) && !(finding.rule !== undefined && finding.category === "security");
}

/** The rulings on findings 1 to `findings`, in order. An answer that leaves one out, or adds one, says nothing at all. */
export function readVerification(answer: AgentAnswer, findings: number): VerificationRuling[] | { unreadable: string } {
  try {
    if (answer.finished !== true) return { unreadable: "The agent did not finish its answer." };
    const { value } = objectIn(answer, SHAPE);
    inspect(wholly, value, [...SHAPE.whole, ...SHAPE.inner]);
    const place = "The verification";
    const fields = fieldsOf(wholly, value, place, ["rulings"], () => {});
    const rulings = new Map<number, VerificationRuling>();
    for (const { number, ...ruling } of required(fields, "rulings", place, listOf(decodeRuling))) {
      if (number < 1 || number > findings) unreadable(`${place} rules on finding ${number}, which does not exist.`);
      if (rulings.has(number)) unreadable(`${place} rules on finding ${number} twice.`);
      rulings.set(number, ruling);
    }
    return Array.from(
      { length: findings },
      (_, index) => rulings.get(index + 1) ?? unreadable(`${place} does not rule on finding ${index + 1}.`),
    );
  } catch (error) {
    return { unreadable: reasonOf(error) };
  }
}

function decodeRuling(value: unknown, path: string): VerificationRuling & { number: number } {
  const fields = fieldsOf(wholly, value, path, SHAPE.inner, () => {});
  return {
    number: required(fields, "finding", path, count),
    result: required(fields, "ruling", path, oneOf(RESULTS)),
    evidence: required(fields, "evidence", path, filled),
    quote: optional(fields, "quote", path, string) ?? "",
  };
}

const SHORTEST_QUOTE = 8;

/**
 * A finding with what the second agent says of it. A refutation counts only with code that does stand in the finding's
 * file; without it the finding stays as it was, and blocks.
 */
export function withVerification(
  finding: Finding,
  { result, evidence, quote }: VerificationRuling,
  by: string,
  text: string | null,
): Finding {
  const quoted = normalise(quote);
  const stands = quoted.length >= SHORTEST_QUOTE && text !== null && normalise(text).includes(quoted);
  if (result === "refuted" && !stands) return finding;
  return { ...finding, verification: { by, result, evidence } };
}
