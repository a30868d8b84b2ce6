import type { Ruling } from "@anneal/types";
import { unreadable } from "./answer.ts";
import { fieldsOf, filled, oneOf, optional, required, string } from "./decode.ts";

export const RULING_KEYS = ["fingerprint", "ruling", "evidence"] as const;

export function decodeRuling(value: unknown, path: string): Ruling {
  const fields = fieldsOf(value, path, RULING_KEYS, () => {});
  const evidence = optional(fields, "evidence", path, string);
  return {
    fingerprint: required(fields, "fingerprint", path, filled),
    ruling: required(fields, "ruling", path, oneOf(["fixed", "open", "refuted"])),
    ...(evidence === undefined ? {} : { evidence }),
  };
}

// Two rulings on one finding cannot both hold, and picking one would be guessing.
export function refuseDoubleRulings(rulings: readonly Ruling[]): void {
  const seen = new Set<string>();
  for (const { fingerprint } of rulings) {
    if (seen.has(fingerprint)) unreadable(`The finding "${fingerprint}" is ruled on twice.`);
    seen.add(fingerprint);
  }
}
