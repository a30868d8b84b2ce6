import type { Finding } from "@anneal/types";
import { identityKey } from "../fingerprint.ts";
import { pairBySimilarity, saysTheSame } from "../similarity.ts";
import { atLeast } from "../words.ts";

/** What one reviewer, or one part of a review, found. */
export interface FoundBy {
  /** Kept on each finding as who saw it. */
  by?: string;
  findings: readonly Finding[];
}

/** All findings without doubles. Two of one list stay two, and of two that are one, the worse counts and no words are lost. */
export function mergeFindings(lists: readonly FoundBy[]): Finding[] {
  let merged: Finding[] = [];
  for (const { by, findings } of lists) {
    const told = by === undefined ? [...findings] : findings.map((finding) => ({ ...finding, seenBy: [by] }));
    const pairs = new Map(pairsOf(told, merged).map(([now, was]) => [was, now]));
    const paired = new Set(pairs.values());
    merged = [
      ...merged.map((finding, index) => {
        const other = told[pairs.get(index) ?? -1];
        return other === undefined ? finding : oneOf(finding, other);
      }),
      ...told.filter((_, index) => !paired.has(index)),
    ];
  }
  return merged;
}

type Pair = [now: number, was: number];

/** The same code first, then the same place in like words, then what has no place, in like words. */
function pairsOf(now: readonly Finding[], was: readonly Finding[]): Pair[] {
  const pairs: Pair[] = [];
  const free = (side: 0 | 1) => {
    const taken = new Set(pairs.map((pair) => pair[side]));
    return (index: number) => !taken.has(index);
  };
  const pair = (same: (a: Finding, b: Finding) => boolean) => {
    for (const [index, finding] of now.entries()) {
      if (!free(0)(index)) continue;
      const isFree = free(1);
      const found = was.findIndex((other, at) => isFree(at) && same(finding, other));
      if (found >= 0) pairs.push([index, found]);
    }
  };
  // Of several on one snippet those in like words belong together, so they choose first.
  pair((a, b) => sameCode(a, b) && saysTheSame(a, b));
  pair(sameCode);
  pair((a, b) => samePlace(a, b) && saysTheSame(a, b));
  const [freeNow, freeWas] = [free(0), free(1)];
  const unplaced = (list: readonly Finding[], isFree: (index: number) => boolean) =>
    list.map((finding, index) => (isFree(index) && finding.line === undefined ? finding : undefined));
  return [...pairs, ...pairBySimilarity(unplaced(now, freeNow), unplaced(was, freeWas))];
}

function sameCode(a: Finding, b: Finding): boolean {
  const key = identityKey(a);
  return key !== undefined && key === identityKey(b);
}

const NEAR_LINES = 2;

function samePlace(a: Finding, b: Finding): boolean {
  if (a.file === undefined || a.file !== b.file || a.line === undefined || b.line === undefined) return false;
  return a.line <= (b.endLine ?? b.line) + NEAR_LINES && b.line <= (a.endLine ?? a.line) + NEAR_LINES;
}

function oneOf(first: Finding, second: Finding): Finding {
  const [worse, other] = atLeast(first.severity, second.severity) ? [first, second] : [second, first];
  const seenBy = [...new Set([...(first.seenBy ?? []), ...(second.seenBy ?? [])])];
  // A named check is certain of what it found: its name stays, with the category that goes with it.
  const named = worse.rule === undefined && other.rule !== undefined ? other : worse;
  const suggestion = worse.suggestion ?? other.suggestion;
  const snippet = worse.snippet ?? other.snippet;
  return {
    ...worse,
    category: named.category,
    ...(named.rule === undefined ? {} : { rule: named.rule }),
    description: saysTheSame(worse, other) ? worse.description : bothTold(worse, other),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(snippet === undefined ? {} : { snippet }),
    ...(seenBy.length === 0 ? {} : { seenBy }),
  };
}

function bothTold(worse: Finding, other: Finding): string {
  const who = other.seenBy?.length ? other.seenBy.join(", ") : "Another reading";
  return `${worse.description}\n\n${who}: ${other.description}`;
}
