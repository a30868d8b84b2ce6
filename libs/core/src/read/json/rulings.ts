import type { Ruling } from "@anneal/types";
import type { AnswerReading } from "../answer/answer.ts";
import { fieldsOf, filled, optional, required, string, wordOf } from "./decode.ts";

export const RULING_KEYS = ["fingerprint", "ruling", "evidence"] as const;

export function decodeRuling(reading: AnswerReading, value: unknown, path: string): Ruling {
  const fields = fieldsOf(reading, value, path, RULING_KEYS, () => {});
  const evidence = optional(fields, "evidence", path, string);
  return {
    fingerprint: required(fields, "fingerprint", path, filled),
    ruling: required(fields, "ruling", path, wordOf(["fixed", "open", "refuted"])),
    ...(evidence === undefined ? {} : { evidence }),
  };
}

/** Two rulings on one finding cannot both hold, and picking one would be guessing: neither counts. */
export function withoutDoubles({ problem }: AnswerReading, rulings: readonly Ruling[]): Ruling[] {
  const times = (name: string) => rulings.filter(({ fingerprint }) => fingerprint === name).length;
  return rulings.filter(({ fingerprint }) => {
    if (times(fingerprint) > 1) problem(`The finding "${fingerprint}" is ruled on twice.`);
    return times(fingerprint) === 1;
  });
}
