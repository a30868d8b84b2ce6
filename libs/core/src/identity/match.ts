import type { Finding } from "@anneal/types";
import { assign, type Edge } from "./assign.ts";
import type { CarriedFinding } from "./carried-finding.ts";
import { type Caution, certainty } from "./certainty.ts";
import { type ComparedFinding, type Evidence, evidence } from "./evidence.ts";
import { linesBetween, type ReadFinding, readFinding, type Weigh, weighing } from "./likeness.ts";

/** Goes up with every change of what is matched: scores of different versions cannot be compared. */
export const MATCHER = 2;

export interface Pair {
  earlier: number;
  later: number;
  /** How sure it is, from 0 to 1. */
  score: number;
}

/** Pairs findings that are one defect, one to one, by everything that is known of both. */
export function match(earlier: readonly CarriedFinding[], later: readonly Finding[], caution: Caution): Pair[] {
  if (earlier.length === 0 || later.length === 0) return [];
  const then = earlier.map(({ finding, codeChanged }) => ({ ...readFinding(finding), codeChanged }));
  const now = later.map(readFinding);
  return pairs(then, now, caution, weighing(then, now));
}

interface Candidate extends Edge {
  found: Evidence;
}

/** A pair, with what speaks for the best other partner of either. */
export interface Compared extends Candidate {
  rivals: { ofEarlier: number; ofLater: number };
}

export function compared(then: readonly ComparedFinding[], now: readonly ReadFinding[], weigh: Weigh): Compared[] {
  const candidates = candidatesOf(then, now, weigh);
  const ofEarlier = bestTwo(candidates, ({ left }) => left);
  const ofLater = bestTwo(candidates, ({ right }) => right);
  return candidates.map((one) => ({
    ...one,
    rivals: { ofEarlier: rivalOf(one, ofEarlier.get(one.left)), ofLater: rivalOf(one, ofLater.get(one.right)) },
  }));
}

export function pairs(
  then: readonly ComparedFinding[],
  now: readonly ReadFinding[],
  caution: Caution,
  weigh: Weigh,
): Pair[] {
  const sure = compared(then, now, weigh).flatMap((one) => {
    const score = certainty(one.found, one.rivals, caution);
    return score < caution.atLeast ? [] : [{ ...one, score, value: score - caution.atLeast + 0.02 + one.value }];
  });
  const scores = new Map(sure.map(({ left, right, score }) => [`${left} ${right}`, score]));
  return assign(withoutDoubtfulMoves(sure)).map(({ left, right }) => ({
    earlier: left,
    later: right,
    score: scores.get(`${left} ${right}`) ?? 0,
  }));
}

/** All pairs; the value only breaks ties as yet. */
function candidatesOf(then: readonly ComparedFinding[], now: readonly ReadFinding[], weigh: Weigh): Candidate[] {
  const ranks = { earlier: lineRanks(then), later: lineRanks(now) };
  const found: Candidate[] = [];
  for (const [left, right] of worthComparing(then, now)) {
    const [a, b] = [then[left], now[right]];
    if (a === undefined || b === undefined) continue;
    const apart = (ranks.earlier[left] ?? 0) - (ranks.later[right] ?? 0);
    found.push({ left, right, found: evidence(a, b, weigh), value: tieBreak(a, b, apart) });
  }
  return found;
}

type Best = [first: Candidate, second?: Candidate];

function bestTwo(candidates: readonly Candidate[], by: (one: Candidate) => number): Map<number, Best> {
  const best = new Map<number, Best>();
  for (const one of candidates) {
    const [first, second] = best.get(by(one)) ?? [];
    if (first === undefined) best.set(by(one), [one]);
    else if (one.found.weight > first.found.weight) best.set(by(one), [one, first]);
    else if (second === undefined || one.found.weight > second.found.weight) best.set(by(one), [first, one]);
  }
  return best;
}

function rivalOf(one: Candidate, best: Best | undefined): number {
  const rival = best?.[0] === one ? best[1] : best?.[0];
  return rival?.found.weight ?? Number.NEGATIVE_INFINITY;
}

/** What decides between candidates that are equally alike. The order of lines comes last, so that equal findings do not cross. */
function tieBreak({ finding: a }: ReadFinding, { finding: b }: ReadFinding, ranksApart: number): number {
  const near = -1e-5 * Math.min(linesBetween(a, b) ?? 300, 300);
  const words = (a.category === b.category ? 4e-3 : 0) + (a.severity === b.severity ? 2e-3 : 0);
  return words + near - 1e-9 * Math.min(ranksApart * ranksApart, 1e6);
}

function lineRanks(findings: readonly ReadFinding[]): number[] {
  const order = findings.map((_, index) => index);
  order.sort((a, b) => (findings[a]?.finding.line ?? 0) - (findings[b]?.finding.line ?? 0) || a - b);
  const ranks: number[] = [];
  for (const [rank, index] of order.entries()) ranks[index] = rank;
  return ranks;
}

/** Code that turns up in two other files could have moved to either: then neither is known to be it. */
function withoutDoubtfulMoves(candidates: readonly Candidate[]): Candidate[] {
  const isMove = ({ found }: Candidate) => found.where === "moved";
  const moves = candidates.filter(isMove);
  const lefts = Map.groupBy(moves, ({ left }) => left);
  const rights = Map.groupBy(moves, ({ right }) => right);
  return candidates.filter(
    (one) => !isMove(one) || (lefts.get(one.left)?.length === 1 && rights.get(one.right)?.length === 1),
  );
}

const MOST_COMPARED = 40_000;

/** All pairs; of very many only those with the very same words, or the same code: the rest would take for ever. */
function* worthComparing(then: readonly ReadFinding[], now: readonly ReadFinding[]): Generator<[number, number]> {
  if (then.length * now.length <= MOST_COMPARED) {
    for (const left of then.keys()) for (const right of now.keys()) yield [left, right];
    return;
  }
  const groups = new Map<string, number[]>();
  for (const [right, finding] of now.entries()) for (const key of keysOf(finding)) push(groups, key, right);
  for (const [left, finding] of then.entries()) {
    for (const right of new Set(keysOf(finding).flatMap((key) => nearest(groups.get(key) ?? [], left))))
      yield [left, right];
  }
}

/** Of very many equal ones, only the nearest in order come into question. */
function nearest(rising: readonly number[], to: number): readonly number[] {
  if (rising.length <= MOST_RIVALS) return rising;
  const found = rising.findIndex((index) => index >= to);
  const from = Math.max(0, (found < 0 ? rising.length : found) - MOST_RIVALS / 2);
  return rising.slice(from, from + MOST_RIVALS);
}

const MOST_RIVALS = 16;

function keysOf({ finding, words, text }: ReadFinding): string[] {
  const { file = "" } = finding;
  return [`words\0${file}\0${[...words].sort().join(" ")}`, ...(text === "" ? [] : [`code\0${file}\0${text}`])];
}

function push(groups: Map<string, number[]>, key: string, index: number): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [index]);
  else group.push(index);
}
