import type { Ruling, TrackedFinding } from "@anneal/types";
import { type AgentAnswer, reasonOf, unreadable, wholly } from "../read/answer/answer.ts";
import { count, fieldsOf, inspect, listOf as listIn, oneOf, optional, required, string } from "../read/json/decode.ts";
import { objectIn } from "../read/json/find-object.ts";
import { listOf, record, wordOf } from "./answer-schema.ts";

const RULINGS = ["fixed", "open", "refuted"] as const;
const SHAPE = { whole: ["rulings"], inner: ["finding", "ruling", "evidence"], telling: /"rulings"\s*:/ };

/** The answer of a reviewer that was asked for rulings alone. */
export const rulingsSchema = record({
  rulings: listOf(record({ finding: { type: "integer" }, ruling: wordOf(RULINGS), evidence: { type: "string" } })),
});

/** What it says of the findings that it was asked about. One that it leaves out stays unruled; an answer that cannot be read rules on none. */
export function readRulings(answer: AgentAnswer, asked: readonly TrackedFinding[]): Ruling[] | { unreadable: string } {
  try {
    if (answer.finished !== true) return { unreadable: "The reviewer did not finish its answer." };
    const { value } = objectIn(answer, SHAPE);
    inspect(wholly, value, [...SHAPE.whole, ...SHAPE.inner]);
    const place = "The answer";
    const fields = fieldsOf(wholly, value, place, SHAPE.whole, () => {});
    const rulings = new Map<string, Ruling>();
    for (const { number, ruling, evidence } of required(fields, "rulings", place, listIn(decode))) {
      const { fingerprint } =
        asked[number - 1] ?? unreadable(`${place} rules on finding ${number}, which does not exist.`);
      if (rulings.has(fingerprint)) unreadable(`${place} rules on finding ${number} twice.`);
      rulings.set(fingerprint, { fingerprint, ruling, ...(evidence === "" ? {} : { evidence }) });
    }
    return [...rulings.values()];
  } catch (error) {
    return { unreadable: reasonOf(error) };
  }
}

function decode(value: unknown, path: string): { number: number; ruling: Ruling["ruling"]; evidence: string } {
  const fields = fieldsOf(wholly, value, path, SHAPE.inner, () => {});
  return {
    number: required(fields, "finding", path, count),
    ruling: required(fields, "ruling", path, oneOf(RULINGS)),
    evidence: optional(fields, "evidence", path, string)?.trim() ?? "",
  };
}
