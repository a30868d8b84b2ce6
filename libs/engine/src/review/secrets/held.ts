import { createHash } from "node:crypto";
import type { HeldSecret, TrackedFinding } from "@anneal/types";
import { maskedText } from "./masked.ts";
import { isRuled, type RuledOn } from "./ruled.ts";

/** A value that a search of commits found, and where. */
export interface FoundSecret {
  commit: string;
  part: "content" | "name" | "message" | "people";
  /** Empty for what is no file. */
  path: string;
  line?: number;
  /** Where it begins, in its line where it has one. */
  start: number;
  /** In which reading of the text: one may be written so that it shows only once marks are taken out. */
  form?: number;
  what: string;
  value: string;
}

/** A secret that holds a push: how a sentence says it, and the finding that a person rules on. */
export interface Leak {
  said: string;
  fingerprint: string;
  /** Null where a reviewer's finding is about it. */
  own: HeldSecret | null;
}

/**
 * One for each value of a file, or of the messages, that no person has ruled on. Where no reviewer has named it, it is named by
 * the place where it came in: a commit never changes, so that is as good a name as the value, which is kept nowhere.
 */
export async function heldSecrets(
  found: readonly FoundSecret[],
  findings: readonly TrackedFinding[],
  reviewed: readonly RuledOn[],
): Promise<Leak[]> {
  const ruled = new Set(findings.filter(isRuled).map(({ fingerprint }) => fingerprint));
  const byValue = Map.groupBy(found, ({ part, path, value }) => JSON.stringify([part, path, value]));
  const leaks: Leak[] = [];
  for (const places of byValue.values()) {
    const [first] = places;
    if (first === undefined || places.some((place) => ruled.has(nameOf(place)))) continue;
    const words = reviewed.filter((one) => isWordOn(one, first)).map(({ entry }) => entry);
    if (words.some(isRuled)) continue;
    const { said, secret } = await heldSecret(first, places);
    const [word] = words;
    leaks.push({ said, fingerprint: (word ?? secret).fingerprint, own: word === undefined ? secret : null });
  }
  return leaks;
}

function isWordOn(word: RuledOn, { part, path, value }: FoundSecret): boolean {
  return part === "content" && word.file === path && word.value === value;
}

function nameOf({ commit, part, path, line, start, form = 0, what }: FoundSecret): string {
  const place = JSON.stringify(["secret", commit, part, path, line ?? null, form, start, what]);
  return createHash("sha256").update(place).digest("hex").slice(0, 32);
}

async function heldSecret(
  first: FoundSecret,
  places: readonly FoundSecret[],
): Promise<{ said: string; secret: HeldSecret }> {
  const { commit, path, line, what } = first;
  const file = await maskedText(path);
  const where = places.map((place) => `${placeText(file, place)} ${within(place)}`.trim());
  const said = isFile(first)
    ? saidOf(first, file)
    : `${article(what)} ${what} is in ${placeText(file, first)} of ${short(commit)}`;
  const finding: HeldSecret["finding"] = {
    rule: "secret",
    category: "security",
    severity: "critical",
    title: `${said.charAt(0).toUpperCase()}${said.slice(1)}`,
    description: `A push would publish this secret: ${[...new Set(where)].join(", ")}.`,
    suggestion:
      "Revoke the secret and rewrite the branch before you push; if it is not a secret, dismiss this finding.",
    ...(file === "" ? {} : { file }),
    ...(line === undefined ? {} : { line }),
  };
  return { said, secret: { fingerprint: nameOf(first), heldIn: commit, finding } };
}

function saidOf(found: FoundSecret, file: string): string {
  const { part, what } = found;
  const thing = `${article(what) === "an" ? "An" : "A"} ${what}`;
  const where = part === "name" ? "the name of a file" : "the code";
  return `${thing} is in ${where} (${placeText(file, found)} ${within(found)})`;
}

function placeText(file: string, { part, line }: FoundSecret): string {
  if (part === "message") return "the message";
  if (part === "people") return "the name or address of the author or committer";
  return line === undefined ? file : `${file}:${line}`;
}

function within(found: FoundSecret): string {
  return `${isFile(found) ? "in" : "of"} ${short(found.commit)}`;
}

function isFile({ part }: FoundSecret): boolean {
  return part === "content" || part === "name";
}

function short(commit: string): string {
  return commit.slice(0, 12);
}

export function article(what: string): "a" | "an" {
  return /^[aeiou]/iu.test(what) ? "an" : "a";
}
