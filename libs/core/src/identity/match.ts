import type { Finding } from "@anneal/types";
import { assign, type Edge } from "./assign.ts";
import { linesBetween, type Read, readFinding, type Weigh, weighing } from "./likeness.ts";
import type { Placed } from "./place.ts";
import { type Bars, ON_THE_BAR, type Standing, score } from "./score.ts";

/** Goes up with every change of what is matched: a score says nothing beside one of another version. */
export const MATCHER = 1;

export interface Pair {
  earlier: number;
  later: number;
  /** How sure it is, from 0.5 to 1. */
  score: number;
}

/** Pairs findings that are one defect, one to one, by everything that is known of both. */
export function match(earlier: readonly Placed[], later: readonly Finding[], bars: Bars): Pair[] {
  const then = earlier.map(({ finding, codeChanged }) => ({ ...readFinding(finding), codeChanged }));
  const now = later.map(readFinding);
  return pairs(then, now, bars, weighing(then, now));
}

interface Candidate extends Edge {
  score: number;
  isMove: boolean;
}

export function pairs(then: readonly Standing[], now: readonly Read[], bars: Bars, weigh: Weigh): Pair[] {
  const ranks = { earlier: lineRanks(then), later: lineRanks(now) };
  const candidates: Candidate[] = [];
  for (const [left, right] of worthComparing(then, now)) {
    const [a, b] = [then[left], now[right]];
    if (a === undefined || b === undefined) continue;
    const { score: points, isMove } = score(a, b, bars, weigh);
    if (points < ON_THE_BAR) continue;
    const apart = (ranks.earlier[left] ?? 0) - (ranks.later[right] ?? 0);
    candidates.push({ left, right, score: points, isMove, value: points - ON_THE_BAR + 0.02 + tieBreak(a, b, apart) });
  }
  const scores = new Map(candidates.map(({ left, right, score: points }) => [`${left} ${right}`, points]));
  return assign(withoutDoubtfulMoves(candidates)).map(({ left, right }) => ({
    earlier: left,
    later: right,
    score: scores.get(`${left} ${right}`) ?? 0,
  }));
}

/** What decides between candidates that are equally alike. The order of lines comes last, so that equal findings do not cross. */
function tieBreak({ finding: a }: Read, { finding: b }: Read, ranksApart: number): number {
  const near = -1e-5 * Math.min(linesBetween(a, b) ?? 300, 300);
  const words = (a.category === b.category ? 4e-3 : 0) + (a.severity === b.severity ? 2e-3 : 0);
  return words + near - 1e-9 * Math.min(ranksApart * ranksApart, 1e6);
}

function lineRanks(findings: readonly Read[]): number[] {
  const order = findings.map((_, index) => index);
  order.sort((a, b) => (findings[a]?.finding.line ?? 0) - (findings[b]?.finding.line ?? 0) || a - b);
  const ranks: number[] = [];
  for (const [rank, index] of order.entries()) ranks[index] = rank;
  return ranks;
}

/** Code that turns up in two other files could have moved to either: then neither is known to be it. */
function withoutDoubtfulMoves(candidates: readonly Candidate[]): Candidate[] {
  const moves = candidates.filter(({ isMove }) => isMove);
  const lefts = Map.groupBy(moves, ({ left }) => left);
  const rights = Map.groupBy(moves, ({ right }) => right);
  return candidates.filter(
    ({ isMove, left, right }) => !isMove || (lefts.get(left)?.length === 1 && rights.get(right)?.length === 1),
  );
}

const MOST_COMPARED = 40_000;

/** All pairs; of very many only those with the very same words, or the same code: the rest would take for ever. */
function* worthComparing(then: readonly Read[], now: readonly Read[]): Generator<[number, number]> {
  if (then.length * now.length <= MOST_COMPARED) {
    for (const left of then.keys()) for (const right of now.keys()) yield [left, right];
    return;
  }
  const groups = new Map<string, number[]>();
  for (const [right, finding] of now.entries()) for (const key of keysOf(finding)) push(groups, key, right);
  for (const [left, finding] of then.entries()) {
    const rights = new Set(keysOf(finding).flatMap((key) => groups.get(key) ?? []));
    // Of very many equal ones, only the nearest in order come into question.
    const nearest = [...rights].sort((a, b) => Math.abs(a - left) - Math.abs(b - left)).slice(0, MOST_RIVALS);
    for (const right of nearest) yield [left, right];
  }
}

const MOST_RIVALS = 50;

function keysOf({ finding, words, text }: Read): string[] {
  const { file = "" } = finding;
  return [`words\0${file}\0${[...words].sort().join(" ")}`, ...(text === "" ? [] : [`code\0${file}\0${text}`])];
}

function push(groups: Map<string, number[]>, key: string, index: number): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [index]);
  else group.push(index);
}
