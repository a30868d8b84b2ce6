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
  const taken = { now: new Set<number>(), was: new Set<number>() };
  /** Only findings with the same key can be a pair, so only those are compared. */
  const pair = (keyOf: (finding: Finding) => string | undefined, same: (a: Finding, b: Finding) => boolean) => {
    const groups = groupedBy(was, keyOf, taken.was);
    for (const [index, finding] of now.entries()) {
      const group = taken.now.has(index) ? [] : (groups.get(keyOf(finding) ?? "") ?? []);
      const at = group.findIndex((one) => same(finding, one.finding));
      const [found] = at < 0 ? [] : group.splice(at, 1);
      if (found === undefined) continue;
      taken.now.add(index);
      taken.was.add(found.index);
      pairs.push([index, found.index]);
    }
  };
  // Of several on one snippet those in like words belong together, so they choose first.
  pair((finding) => identityKey(finding), saysTheSame);
  pair(
    (finding) => identityKey(finding),
    () => true,
  );
  pair(
    ({ file, line }) => (line === undefined ? undefined : file),
    (a, b) => samePlace(a, b) && saysTheSame(a, b),
  );
  const unplaced = (list: readonly Finding[], gone: ReadonlySet<number>) =>
    list.map((finding, index) => (!gone.has(index) && finding.line === undefined ? finding : undefined));
  return [...pairs, ...pairBySimilarity(unplaced(now, taken.now), unplaced(was, taken.was))];
}

function groupedBy(
  findings: readonly Finding[],
  keyOf: (finding: Finding) => string | undefined,
  without: ReadonlySet<number>,
): Map<string, { index: number; finding: Finding }[]> {
  const groups = new Map<string, { index: number; finding: Finding }[]>();
  for (const [index, finding] of findings.entries()) {
    const key = without.has(index) ? undefined : keyOf(finding);
    if (key === undefined) continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [{ index, finding }]);
    else group.push({ index, finding });
  }
  return groups;
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
