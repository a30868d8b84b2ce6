import { type AgentAnswer, reasonOf, unreadable, wholly } from "../read/answer/answer.ts";
import { fieldsOf, flag, inspect, optional, required, string } from "../read/json/decode.ts";
import { objectIn } from "../read/json/find-object.ts";
import { record } from "./answer-schema.ts";

const KEYS = ["without_reservation", "reservation"];
const SHAPE = { whole: ["without_reservation"], inner: [], telling: /"without_reservation"\s*:/ };

/** The answer of whoever was asked whether a review approves without reservation. */
export const secondLookSchema = record({
  without_reservation: { type: "boolean" },
  reservation: { type: ["string", "null"] },
});

/** What it saw in the text: nothing, a reservation in the reviewer's words, or no answer that can be read. */
export type SecondLook = { reservation: string | null } | { unreadable: string };

export function readSecondLook(answer: AgentAnswer): SecondLook {
  try {
    if (answer.finished !== true) return unreadable("it did not finish its answer");
    const { value } = objectIn(answer, SHAPE);
    inspect(wholly, value, KEYS, /^reservation$/);
    const place = "The answer";
    const fields = fieldsOf(wholly, value, place, KEYS, () => {});
    const words = optional(fields, "reservation", place, string)?.trim() ?? "";
    if (!required(fields, "without_reservation", place, flag)) return { reservation: words };
    // A yes that quotes a reservation is none.
    return { reservation: words === "" ? null : words };
  } catch (error) {
    return { unreadable: reasonOf(error) };
  }
}
