import type { TestCase } from "./inventory.ts";

/** Tests with the same body under another name are one renamed test from this share of common words on. */
const SAME_TEST = 0.7;

export interface Pairing<A extends TestCase, B extends TestCase> {
  pairs: [A, B][];
  gone: A[];
  fresh: B[];
}

/** Matches tests one to one: by name first, then the closest bodies first. */
export function pairTests<A extends TestCase, B extends TestCase>(before: A[], after: B[]): Pairing<A, B> {
  const pairs: [A, B][] = [];
  const byName = new Map<string, B[]>();
  for (const test of after) byName.set(test.name, [...(byName.get(test.name) ?? []), test]);
  const nameless: A[] = [];
  for (const test of before) {
    const same = byName.get(test.name)?.shift();
    if (same) pairs.push([test, same]);
    else nameless.push(test);
  }
  const fresh = new Set(after.filter((test) => byName.get(test.name)?.includes(test)));
  const gone = new Set(nameless);
  for (const { a, b } of closest(nameless, [...fresh])) {
    if (!gone.has(a) || !fresh.has(b)) continue;
    pairs.push([a, b]);
    gone.delete(a);
    fresh.delete(b);
  }
  return { pairs, gone: [...gone], fresh: [...fresh] };
}

function closest<A extends TestCase, B extends TestCase>(before: A[], after: B[]): { a: A; b: B; score: number }[] {
  return before
    .flatMap((a) => after.map((b) => ({ a, b, score: similarity(a.words, b.words) })))
    .filter(({ score }) => score >= SAME_TEST)
    .sort((x, y) => y.score - x.score);
}

/** The share of words that two bodies have in common, counted with repetition. */
function similarity(a: string[], b: string[]): number {
  if (a.length === 0 || b.length === 0) return 0;
  // Bodies of very different length cannot reach the limit: no need to count.
  if ((2 * Math.min(a.length, b.length)) / (a.length + b.length) < SAME_TEST) return 0;
  const counts = new Map<string, number>();
  for (const word of a) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of b) {
    const left = counts.get(word) ?? 0;
    if (left === 0) continue;
    counts.set(word, left - 1);
    common++;
  }
  return (2 * common) / (a.length + b.length);
}
