import { oneLine } from "../../text/text.ts";
import type { AnswerReading } from "../answer/answer.ts";
import { ignored } from "./decode.ts";

/** A key that the contract does not name: beside a pass nobody knows what it takes back, elsewhere it is noted. */
export function refuseExtra(reading: AnswerReading, key: string, value: unknown, claimsPass: boolean): void {
  if (claimsPass && !isEmpty(value))
    reading.problem(`The answer claims a pass, but has the unknown key "${oneLine(key)}".`);
  else reading.note(ignored(key));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  return typeof value === "object" && Object.values(value).every(isEmpty);
}
