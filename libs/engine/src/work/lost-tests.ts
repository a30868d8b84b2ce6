import { builtinReviewer } from "@anneal/adapters/builtin/reviewer";
import { notSeen } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { Finding, LoopState, RedTests, TestTotals } from "@anneal/types";
import { lostFiles } from "./lost-files.ts";

const WEAKENS = ["test-removed", "assertions-removed", "skipped-test", "focused-test"];

/**
 * What a fix for red checks has taken from the tests. The run itself has to show that what was red still runs; what runs cannot show
 * is read from the files. Of what tests say, only what is missing against the base as well is lost, so that the fixer may correct
 * a test that the change itself brought. With it comes what was red: without its test nothing says that it is mended.
 */
export async function lostTests(
  repo: Repo,
  state: LoopState,
  totals: TestTotals | null,
  signal: AbortSignal,
): Promise<Finding[]> {
  const { base, refused, tree } = state;
  if (refused === undefined || tree === null || tree === refused.tree) return [];
  const files = await lostFiles(repo, state, { refused: refused.tree, tree });
  const unseen = refused.tests === undefined ? [] : notRun(refused.tests, totals);
  const known = new Set(files.map(keyOf));
  const since = (await weakened(repo, { base: refused.tree, head: tree }, signal)).filter(
    (one) => !known.has(keyOf(one)),
  );
  const overall = since.length === 0 ? [] : await weakened(repo, { base, head: tree }, signal);
  const weaker = since.filter((one) => overall.some((other) => keyOf(other) === keyOf(one)));
  const lost = [...files, ...weaker, ...unseen].map(afterRed);
  return lost.length === 0 ? [] : [...lost, ...refused.problems.filter((problem) => !weakens(problem))];
}

function weakens({ rule = "" }: Finding): boolean {
  return WEAKENS.includes(rule);
}

function notRun(red: RedTests, totals: TestTotals | null): Finding[] {
  const missing = notSeen(red, totals);
  if (missing.length === 0) return [];
  const said = totals === null ? "The output no longer lists any test." : `In this run, ${missing.join("; ")}.`;
  const title = "Tests that ran while the checks failed no longer run";
  return [{ rule: "test-removed", category: "testing", severity: "high", title, description: said }];
}

async function weakened(repo: Repo, ends: { base: string; head: string }, signal: AbortSignal): Promise<Finding[]> {
  const change = repo.change({ ...ends, headKind: "tree" });
  try {
    const { report } = await builtinReviewer.review(change, signal);
    return report.status === "complete" ? report.findings.filter(weakens) : [];
  } finally {
    change.close();
  }
}

function keyOf({ rule, file }: Finding): string {
  return `${rule} ${file}`;
}

function afterRed(finding: Finding): Finding {
  const { description } = finding;
  return {
    ...finding,
    description: `${description} The checks failed before that: fix the code, and leave the failing tests as they are.`,
  };
}
