import type { Finding } from "@anneal/types";

const ALIKE = 0.5;
/** Beyond this many in one place, only findings with the very same words are compared: the rest would take for ever. */
const MANY = 200;

/**
 * Pairs findings that show no code, one to one, within category and path, by the words they share.
 * A tie is no pair: guessing could close the wrong finding.
 */
export function pairBySimilarity(
  now: readonly (Finding | undefined)[],
  was: readonly (Finding | undefined)[],
): [now: number, was: number][] {
  const here = grouped(now);
  return [...grouped(was)].flatMap(([place, earlier]) => pairGroup(here.get(place) ?? [], earlier));
}

interface Worded {
  index: number;
  words: ReadonlySet<string>;
}

function grouped(findings: readonly (Finding | undefined)[]): Map<string, Worded[]> {
  const groups = new Map<string, Worded[]>();
  for (const [index, finding] of findings.entries()) {
    if (finding === undefined) continue;
    const place = `${finding.rule ?? finding.category}\0${finding.file ?? ""}`;
    const entry = { index, words: words(finding) };
    const group = groups.get(place);
    if (group === undefined) groups.set(place, [entry]);
    else group.push(entry);
  }
  return groups;
}

/** Whether two findings about the same code say the same thing, as far as words can tell. */
export function saysTheSame(a: Finding, b: Finding): boolean {
  return alike(words(a), words(b)) >= ALIKE;
}

/** Each pair is the best of both sides, and better than any rival. */
function pairGroup(now: readonly Worded[], was: readonly Worded[]): [number, number][] {
  const likeness = now.length * was.length > MANY * MANY ? same : alike;
  const scores = now.map((a) => was.map((b) => likeness(a.words, b.words)));
  const best = (values: readonly number[]) => {
    const top = Math.max(0, ...values);
    return values.filter((value) => value === top).length === 1 && top >= ALIKE ? values.indexOf(top) : -1;
  };
  const columns = was.map((_, column) => best(scores.map((row) => row[column] ?? 0)));
  return scores.flatMap((row, index): [number, number][] => {
    const column = best(row);
    const [a, b] = [now[index], was[column]];
    return a !== undefined && b !== undefined && columns[column] === index ? [[a.index, b.index]] : [];
  });
}

function words(finding: Finding): Set<string> {
  const text = `${finding.title} ${finding.description}`.toLowerCase();
  return new Set(text.match(/[\p{L}\p{N}_]{3,}/gu) ?? []);
}

/** Shared words over the smaller set, so that a longer wording still counts as alike; equal wordings count a little more. */
function alike(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const smaller = Math.min(a.size, b.size);
  if (smaller === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (0.9 * shared) / smaller + (0.1 * shared) / (a.size + b.size - shared);
}

function same(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  return a.size === b.size && [...a].every((word) => b.has(word)) ? 1 : 0;
}
