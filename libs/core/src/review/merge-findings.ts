import type { Finding } from "@anneal/types";
import { atLeast } from "../findings/severity-and-category.ts";
import { type SeenOnce, sameDefects, saysTheSame } from "../identity/index.ts";

/** What one reviewer, or one part of a review, found. */
export interface FoundBy {
  /** Kept on each finding as who saw it. */
  by?: string;
  findings: readonly Finding[];
}

/** A finding, and which findings of the lists became it. */
export interface MergedFinding {
  finding: Finding;
  from: SeenOnce[];
}

/** All findings without doubles. Two of one list stay two, and of two that are one, the worse counts and no words are lost. */
export function mergeFindings(lists: readonly FoundBy[]): Finding[] {
  return merged(lists).map(({ finding }) => finding);
}

export function merged(lists: readonly FoundBy[]): MergedFinding[] {
  const attributed = lists.map(({ by, findings }) =>
    by === undefined ? findings : findings.map((finding) => ({ ...finding, seenBy: [by] })),
  );
  return sameDefects(attributed).flatMap((from) => {
    const [first, ...others] = from.flatMap(({ list, index }) => attributed[list]?.[index] ?? []);
    return first === undefined ? [] : [{ finding: others.reduce(oneOf, first), from }];
  });
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
    description: saysTheSame(worse, other) ? worse.description : bothDescribe(worse, other),
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(snippet === undefined ? {} : { snippet }),
    ...(seenBy.length === 0 ? {} : { seenBy }),
  };
}

function bothDescribe(worse: Finding, other: Finding): string {
  const who = other.seenBy?.length ? other.seenBy.join(", ") : "Another reading";
  return `${worse.description}\n\n${who}: ${other.description}`;
}
