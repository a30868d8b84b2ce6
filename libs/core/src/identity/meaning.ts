import type { Weigh } from "./likeness.ts";
import { DIMENSIONS, ROWS, STEMS } from "./word-table.ts";

/** How far two wordings mean the same, also where they share no word. */
export interface WordingLikeness {
  /** Share of the telling words of one that the other says too, whichever share is less. */
  share: number;
  /** How many telling words of one the other says too, whichever has fewer. */
  amount: number;
  /** Likeness of what both are about as a whole. */
  about: number;
}

/** Words less alike than this have nothing in common. */
const UNLIKE = 0.3;
const MOST = 8;

export function meaning(a: ReadonlySet<string>, b: ReadonlySet<string>, weigh: Weigh): WordingLikeness {
  const [there, back] = [covered(a, b, weigh), covered(b, a, weigh)];
  return {
    share: Math.min(there.share, back.share),
    amount: Math.min(there.sum, back.sum, MOST),
    about: cosine(meant(a).whole, meant(b).whole),
  };
}

interface Meant {
  vectors: readonly Float32Array[];
  whole: Float32Array;
}

/** A finding is compared with many. */
const read = new WeakMap<ReadonlySet<string>, Meant>();

function meant(words: ReadonlySet<string>): Meant {
  const before = read.get(words);
  if (before !== undefined) return before;
  const found = { vectors: [...words].flatMap((word) => known(word)?.vector ?? []), whole: whole(words) };
  read.set(words, found);
  return found;
}

interface Known {
  vector: Float32Array;
  /** The more common a word, the less it says. */
  telling: number;
}

let table: Map<string, Known> | undefined;

/** Read when two wordings are first compared: most runs never do. */
function known(word: string): Known | undefined {
  table ??= new Map(STEMS.split(" ").map((stem, index, { length }) => [stem, knownAt(index, length)]));
  return table.get(word);
}

const ZERO = "?".charCodeAt(0);
const COMMON = 20;
const LEAST_TELLING = 0.15;

function knownAt(index: number, length: number): Known {
  const row = ROWS.slice(index * DIMENSIONS, (index + 1) * DIMENSIONS);
  const vector = Float32Array.from(row, (character) => character.charCodeAt(0) - ZERO);
  const norm = Math.hypot(...vector) || 1;
  const rarity = Math.log(index / COMMON + 1) / Math.log(length / COMMON + 1);
  return { vector: vector.map((part) => part / norm), telling: LEAST_TELLING + (1 - LEAST_TELLING) * rarity };
}

/** How much of what these words say, the others say too: each word by the one that comes nearest to it. */
function covered(
  words: ReadonlySet<string>,
  others: ReadonlySet<string>,
  weigh: Weigh,
): { share: number; sum: number } {
  const { vectors } = meant(others);
  let [sum, all] = [0, 0];
  for (const word of words) {
    const own = known(word);
    const weight = (own?.telling ?? 1) * weigh(word);
    all += weight;
    sum += weight * (others.has(word) ? 1 : nearest(own?.vector, vectors));
  }
  return { share: all === 0 ? 0 : sum / all, sum };
}

function nearest(vector: Float32Array | undefined, others: readonly Float32Array[]): number {
  if (vector === undefined) return 0;
  let best = UNLIKE;
  for (const other of others) best = Math.max(best, product(vector, other));
  return (best - UNLIKE) / (1 - UNLIKE);
}

function whole(words: ReadonlySet<string>): Float32Array {
  const sum = new Float32Array(DIMENSIONS);
  for (const word of words) {
    const { vector, telling } = known(word) ?? {};
    if (vector === undefined || telling === undefined) continue;
    for (const [index, part] of vector.entries()) sum[index] = (sum[index] ?? 0) + telling * part;
  }
  return sum;
}

function cosine(a: Float32Array, b: Float32Array): number {
  const norms = Math.sqrt(product(a, a) * product(b, b));
  return norms === 0 ? 0 : product(a, b) / norms;
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < DIMENSIONS; index++) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
