import type { Finding } from "@anneal/types";
import { ACROSS_REVIEWERS } from "./certainty.ts";
import { type ComparedFinding, type Evidence, evidence } from "./evidence.ts";
import { readFinding, type Weigh, weighing } from "./likeness.ts";
import { type Pair, pairs } from "./match.ts";

/** One reviewer's report of what is taken for one defect. */
export interface SeenOnce {
  list: number;
  index: number;
  /** How sure it is that this and another are one; missing where nobody else saw it. */
  score?: number;
}

interface Member extends SeenOnce {
  read: ComparedFinding;
}

/**
 * What several lists name together: each group is one defect, with no more than one finding of each list. The order of the
 * lists, and of what they hold, makes no difference; groups come in the order in which the lists name them.
 */
export function sameDefects(lists: readonly (readonly Finding[])[]): SeenOnce[][] {
  const read = lists.map((findings) => findings.map((finding) => ({ ...readFinding(finding), codeChanged: false })));
  const weigh = weighing(...read);
  const groups = new Map<string, Member[]>();
  for (const [list, findings] of read.entries())
    for (const [index, one] of findings.entries()) groups.set(`${list} ${index}`, [{ list, index, read: one }]);
  for (const { a, b, score: points } of links(read, weigh)) {
    const [one, other] = [groups.get(a), groups.get(b)];
    if (one === undefined || other === undefined || one === other || !mayJoin(one, other, weigh)) continue;
    const all = [...one, ...other].map((member) => ({ ...member, score: member.score ?? points }));
    for (const { list, index } of all) groups.set(`${list} ${index}`, all);
  }
  return [...new Set(groups.values())].map((members) =>
    members
      .sort((a, b) => a.list - b.list || a.index - b.index)
      .map(({ list, index, score: points }) => ({ list, index, ...(points === undefined ? {} : { score: points }) })),
  );
}

interface Link {
  a: string;
  b: string;
  score: number;
  text: string;
}

/** The pairs of every two lists, the surest first. */
function links(read: readonly (readonly ComparedFinding[])[], weigh: Weigh): Link[] {
  const sorted = read
    .map((findings, list) => ({ list, all: inOwnOrder(findings) }))
    .map((one) => ({ ...one, text: one.all.map(({ text }) => text).join("\n") }))
    .sort((a, b) => compare(a.text, b.text));
  const found: Link[] = [];
  for (const [at, one] of sorted.entries()) {
    for (const other of sorted.slice(at + 1)) {
      const reads = (side: typeof one) => side.all.map(({ finding }) => finding);
      for (const pair of pairs(reads(one), reads(other), ACROSS_REVIEWERS, weigh)) found.push(linkOf(pair, one, other));
    }
  }
  return found.sort((a, b) => b.score - a.score || compare(a.text, b.text));
}

interface Sorted {
  list: number;
  all: readonly { index: number; text: string }[];
}

function linkOf({ earlier, later, score: points }: Pair, one: Sorted, other: Sorted): Link {
  const [a, b] = [one.all[earlier], other.all[later]];
  const text = [a?.text ?? "", b?.text ?? ""].sort(compare).join("\n");
  return { a: `${one.list} ${a?.index}`, b: `${other.list} ${b?.index}`, score: points, text };
}

/** By what the findings say, so that ties fall the same way in whatever order they were given. */
function inOwnOrder(findings: readonly ComparedFinding[]): { index: number; finding: ComparedFinding; text: string }[] {
  return findings
    .map((finding, index) => ({ index, finding, text: ownText(finding.finding) }))
    .sort((a, b) => compare(a.text, b.text));
}

function ownText({ seenBy: _, verification: __, ...finding }: Finding): string {
  return JSON.stringify(Object.entries(finding).sort(([a], [b]) => compare(a, b)));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** No list names a defect twice, and a chain of likenesses must not join what is plainly not alike. */
function mayJoin(one: readonly Member[], other: readonly Member[], weigh: Weigh): boolean {
  return one.every((a) => other.every((b) => a.list !== b.list && !isUnlike(evidence(a.read, b.read, weigh))));
}

const UNLIKE = -4;

function isUnlike({ weight, isRuledOut }: Evidence): boolean {
  return isRuledOut || weight <= UNLIKE;
}
