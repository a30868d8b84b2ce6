import type { TestCase } from "./inventory.ts";

/** Tests with the same body under another name are one renamed test from this share of common words on. */
const SAME_TEST = 0.7;

export interface Pairing<A extends TestCase, B extends TestCase> {
  pairs: [A, B][];
  gone: A[];
  fresh: B[];
}

/** Under a name much like the old one, a body may have been rewritten and is still that test. */
const LIKE_NAME = 0.6;
const REWRITTEN = 0.3;

/** Matches tests one to one: by name first, then the closest first, by their bodies or by body and name. */
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

interface Closeness<A, B> {
  a: A;
  b: B;
  score: number;
}

/** Beyond this many pairs a rewrite is too large to compare word by word, and names alone decide. */
const MOST_PAIRS = 500_000;

function closest<A extends TestCase, B extends TestCase>(before: A[], after: B[]): Closeness<A, B>[] {
  if (before.length * after.length > MOST_PAIRS) return [];
  return before
    .flatMap((a) => {
      const counts = wordCounts(a.words);
      return after.map((b) => ({ a, b, score: similarity(counts, a.words.length, b.words) }));
    })
    .filter(({ a, b, score }) => score >= SAME_TEST || (score >= REWRITTEN && alike(a.name, b.name) >= LIKE_NAME))
    .sort((x, y) => y.score - x.score);
}

/** The share of words that two bodies have in common, counted with repetition. */
function similarity(counts: Map<string, number>, length: number, words: string[]): number {
  const total = length + words.length;
  // Bodies of very different length cannot reach the limit: no need to count.
  if (length === 0 || (2 * Math.min(length, words.length)) / total < REWRITTEN) return 0;
  const used = new Map<string, number>();
  let common = 0;
  for (const word of words) {
    const times = (used.get(word) ?? 0) + 1;
    if (times > (counts.get(word) ?? 0)) continue;
    used.set(word, times);
    common++;
  }
  return (2 * common) / total;
}

/** The share of words that two names have in common, however they are written. */
function alike(a: string, b: string): number {
  const [one, other] = [nameWords(a), nameWords(b)];
  const common = [...one].filter((word) => other.has(word)).length;
  return common / Math.max(1, one.size + other.size - common);
}

function nameWords(name: string): Set<string> {
  const words = name.match(/\p{Lu}?\p{Ll}+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{Lo}+/gu) ?? [];
  return new Set(words.map((word) => word.toLowerCase()).filter((word) => word !== "test"));
}

function wordCounts(words: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
