import { track } from "@anneal/core";
import { mergeFindings } from "@anneal/core/review";
import type { Finding, RoundMatches, TrackedFinding } from "@anneal/types";
import type { Prepared } from "./prepared.ts";
import { keysOf, type Later } from "./scenario.ts";

/** What became of one later finding. */
export interface Judged {
  scenario: string;
  kind: "rounds" | "reviewers";
  later: Later;
  /** Keys of the earlier findings that it was taken for. */
  took: string[];
  /** `kept`: taken for what it is. `wrong`: taken for another. `missed`: taken for new. `apart`: it is new. `second`: the other half of a split that was kept. */
  result: "kept" | "missed" | "wrong" | "apart" | "second";
}

/** Lets the product's own functions say which findings are the same, and compares that with what a careful person says. */
export function judged(all: readonly Prepared[], answers?: ReadonlyMap<Prepared, RoundMatches>): Judged[] {
  return all.flatMap((one) => {
    const took = one.scenario.kind === "rounds" ? overRounds(one, answers?.get(one)) : acrossReviewers(one);
    const keeps = new Set(
      took.map((keys, index) => keptKey(one.scenario.later[index], keys)).filter((key) => key !== null),
    );
    return one.scenario.later.map((later, index): Judged => {
      const keys = took[index] ?? [];
      const known = { scenario: one.scenario.id, kind: one.scenario.kind, later, took: keys };
      return { ...known, result: resultOf(later, keys, keeps) };
    });
  });
}

function keptKey(later: Later | undefined, took: readonly string[]): string | null {
  return later === undefined ? null : (took.find((key) => keysOf(later).includes(key)) ?? null);
}

function resultOf(later: Later, took: readonly string[], keeps: ReadonlySet<string>): Judged["result"] {
  const meant = keysOf(later);
  if (took.some((key) => !meant.includes(key))) return "wrong";
  if (meant.length === 0) return "apart";
  if (took.length > 0) return "kept";
  // One to one: of a finding that became two, one goes on with its name.
  return later.drift?.includes("split") === true && meant.every((key) => keeps.has(key)) ? "second" : "missed";
}

function overRounds({ scenario, earlier, later, moves, renames }: Prepared, matches?: RoundMatches): string[][] {
  const first = track([], seen(1, earlier, { renames: {} }));
  const ledger = track(first, { ...seen(2, later, { moves, renames }), matches });
  const keyOf = new Map<string, string>();
  for (const [index, finding] of earlier.entries())
    keyOf.set(nameOf(first, finding), scenario.earlier[index]?.key ?? "");
  return later.map((finding) => {
    const entry = ledger.find((one) => one.lastRound === 2 && isReportOf(one.finding, finding));
    const key = entry === undefined || entry.firstRound === 2 ? undefined : keyOf.get(entry.fingerprint);
    return key === undefined ? [] : [key];
  });
}

/** What is reported again less gravely stays as grave as it was, so the severity does not count. */
function isReportOf(kept: Finding, { title, description, file, line }: Finding): boolean {
  return kept.title === title && kept.description === description && kept.file === file && kept.line === line;
}

function nameOf(ledger: readonly TrackedFinding[], finding: Finding): string {
  return ledger.find((one) => one.finding === finding)?.fingerprint ?? "";
}

export function seen(
  round: number,
  findings: Finding[],
  since: Pick<Parameters<typeof track>[1], "moves" | "renames">,
) {
  const report = { status: "complete", claim: "fail", findings, summary: "", rulings: [], notes: [] } as const;
  return {
    round,
    head: `c${round}`,
    report: { ...report, rulings: [], notes: [] },
    standing: [],
    regions: [],
    lastFix: undefined,
    ...since,
  };
}

/** Both reviewers' findings of one state: each carries its own name as who saw it, which tells what was made one. */
function acrossReviewers({ scenario, earlier, later }: Prepared): string[][] {
  const one = earlier.map((finding, index) => ({ ...finding, seenBy: [scenario.earlier[index]?.key ?? ""] }));
  const two = later.map((finding, index) => ({ ...finding, seenBy: [`later ${index}`] }));
  const merged = mergeFindings([{ findings: one }, { findings: two }]);
  return later.map((_, index) => {
    const into = merged.find(({ seenBy }) => seenBy?.includes(`later ${index}`));
    return into?.seenBy?.filter((name) => !name.startsWith("later ")) ?? [];
  });
}
