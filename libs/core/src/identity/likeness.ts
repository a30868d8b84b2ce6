import type { Finding } from "@anneal/types";
import { normalise } from "../findings/fingerprint.ts";
import { type FindingTerms, namedIn } from "./contrast.ts";
import { FILLERS } from "./fillers.ts";
import { stemsOf } from "./words.ts";

/** A finding, read once for all comparisons with it. */
export interface ReadFinding {
  finding: Finding;
  words: ReadonlySet<string>;
  title: ReadonlySet<string>;
  code: ReadonlySet<string>;
  named: FindingTerms;
  /** The code as one line, for equality. */
  text: string;
}

export function readFinding(finding: Finding): ReadFinding {
  const title = stemsOf(finding.title);
  const text = normalise(finding.snippet ?? "");
  const words = new Set([...title, ...stemsOf(finding.description)]);
  return { finding, title, words, code: codeTokens(text), named: namedIn(finding), text };
}

/** How much each word says: one that many findings use tells little of which is meant. */
export type Weigh = (word: string) => number;

export function weighing(...sides: readonly (readonly ReadFinding[])[]): Weigh {
  const most = new Map<string, number>();
  for (const side of sides) {
    const counts = new Map<string, number>();
    for (const { words } of side) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    for (const [word, count] of counts) most.set(word, Math.max(count, most.get(word) ?? 0));
  }
  sayLittle ??= stemsOf(FILLERS);
  const little = sayLittle;
  return (word) => (little.has(word) ? LITTLE : 1) / Math.sqrt(most.get(word) ?? 1);
}

/** Made when two wordings are first compared: most runs never do. */
let sayLittle: ReadonlySet<string> | undefined;
const LITTLE = 0.35;

export const evenly: Weigh = () => 1;

/** Shared words over all words of both. */
export function jaccard(a: ReadonlySet<string>, b: ReadonlySet<string>, weigh: Weigh): number {
  const [both, all] = shares(a, b, weigh);
  return all === 0 ? 0 : both / all;
}

/** Shared words over those of the shorter one, so that a longer wording still counts as alike. */
export function containment(a: ReadonlySet<string>, b: ReadonlySet<string>, weigh: Weigh): number {
  const least = Math.min(total(a, weigh), total(b, weigh));
  return least === 0 ? 0 : shared(a, b, weigh) / least;
}

export function shared(a: ReadonlySet<string>, b: ReadonlySet<string>, weigh: Weigh): number {
  return shares(a, b, weigh)[0];
}

function shares(a: ReadonlySet<string>, b: ReadonlySet<string>, weigh: Weigh): [both: number, all: number] {
  let both = 0;
  for (const word of a) if (b.has(word)) both += weigh(word);
  return [both, total(a, weigh) + total(b, weigh) - both];
}

function total(words: ReadonlySet<string>, weigh: Weigh): number {
  let sum = 0;
  for (const word of words) sum += weigh(word);
  return sum;
}

/** Names, numbers and the rest of a piece of code, whatever its layout. */
function codeTokens(text: string): Set<string> {
  return new Set(text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]+/gu) ?? []);
}

/** Too little to know code by: a brace, `return;`. */
const FEW_TOKENS = 3;

/** How alike the code of two findings is; null where one shows none. */
export function codeLikeness(a: ReadFinding, b: ReadFinding): number | null {
  if (a.text === "" || b.text === "") return null;
  if (a.text === b.text) return 1;
  if (Math.min(a.code.size, b.code.size) < FEW_TOKENS) return 0;
  return 0.9 * Math.max(jaccard(a.code, b.code, evenly), 0.8 * containment(a.code, b.code, evenly));
}

/** Lines between two locations in one file, or null where one has no line. */
export function linesBetween(a: Finding, b: Finding): number | null {
  if (a.line === undefined || b.line === undefined) return null;
  return Math.max(0, a.line - (b.endLine ?? b.line), b.line - (a.endLine ?? a.line));
}
