import type { Finding } from "@anneal/types";

const ALIKE = 0.5;

/**
 * Pairs findings that show no code, one to one, within category and path, by the words they share.
 * A tie is no pair: guessing could close the wrong finding.
 */
export function pairBySimilarity(
  now: readonly (Finding | undefined)[],
  was: readonly (Finding | undefined)[],
): [now: number, was: number][] {
  const scores: { now: number; was: number; score: number }[] = [];
  for (const [n, a] of now.entries()) {
    for (const [t, b] of was.entries()) {
      if (a === undefined || b === undefined || !comparable(a, b)) continue;
      const score = overlap(words(a), words(b));
      if (score >= ALIKE) scores.push({ now: n, was: t, score });
    }
  }
  const pairs: [number, number][] = [];
  for (const best of scores) {
    const rivals = scores.filter((s) => s !== best && (s.now === best.now || s.was === best.was));
    if (rivals.every((rival) => rival.score < best.score)) pairs.push([best.now, best.was]);
  }
  return pairs;
}

function comparable(a: Finding, b: Finding): boolean {
  return (a.rule ?? a.category) === (b.rule ?? b.category) && a.file === b.file;
}

function words(finding: Finding): Set<string> {
  const text = `${finding.title} ${finding.description}`.toLowerCase();
  return new Set(text.match(/[\p{L}\p{N}_]{3,}/gu) ?? []);
}

/** Shared words over the smaller set, so that a longer wording of the same thing still counts as alike. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const smaller = Math.min(a.size, b.size);
  if (smaller === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return shared / smaller;
}
