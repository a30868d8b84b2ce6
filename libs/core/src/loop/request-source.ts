import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Which words on a pull request a finding came from. */
export interface FindingSource {
  of: "comment" | "line" | "review" | "check";
  id: number;
}

/**
 * The rule of a finding that came from a pull request, and so its identity: where it was said, and a trace of the words.
 * Somebody who edits a comment says something new.
 */
export function ruleOf({ of, id }: FindingSource, words: string): string {
  const trace = bytesToHex(sha256(utf8ToBytes(words.replace(/\s+/g, " ").trim()))).slice(0, 8);
  return `pr-${of}:${id}:${trace}`;
}

export function sourceOf(rule: string | undefined): FindingSource | null {
  const [, of, id] = /^pr-(comment|line|review|check):(\d+):[0-9a-f]{8}$/.exec(rule ?? "") ?? [];
  if (of !== "comment" && of !== "line" && of !== "review" && of !== "check") return null;
  return { of, id: Number(id) };
}

/** The key under which we answer; what has an answer is not new any more. */
export function answerKey(rule: string): string {
  return `answer:${rule}`;
}
