import type { Finding } from "@anneal/types";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

/** Code without the differences that formatting makes. */
export function normalise(snippet: string): string {
  return snippet.replace(/\s+/g, " ").trim();
}

/** What two findings must share to be the same one: never the line, never the prose. */
export function identityKey(finding: Finding, path = finding.file): string | undefined {
  const snippet = normalise(finding.snippet ?? "");
  if (snippet === "") return undefined;
  return [finding.rule ?? finding.category, path ?? "", snippet].join("\0");
}

/** The stable name of a finding: its key and how many equal ones stand before it. */
export function fingerprint(key: string, occurrence: number): string {
  return bytesToHex(sha256(utf8ToBytes(`${key}\0${occurrence}`))).slice(0, 32);
}

/** A finding that shows no code is named by its category and path; similarity tells such findings apart. */
export function withoutSnippetKey(finding: Finding): string {
  return [finding.rule ?? finding.category, finding.file ?? "", "no snippet"].join("\0");
}

/** Indices of findings sorted by line; the order of the report breaks ties. */
export function inLineOrder(findings: readonly Finding[]): number[] {
  return findings.map((_, i) => i).sort((a, b) => (findings[a]?.line ?? 0) - (findings[b]?.line ?? 0) || a - b);
}
