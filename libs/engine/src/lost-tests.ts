import { builtinReviewer } from "@anneal/adapters/builtin/reviewer";
import type { Repo } from "@anneal/adapters/git";
import type { Finding, LoopState } from "@anneal/types";

const WEAKENS = ["test-removed", "assertions-removed", "skipped-test", "focused-test"];

/**
 * What a fix for red checks has taken from the tests: what was there when the checks refused the change, and is missing against the base as well.
 * So the fixer may correct or drop a test that the change itself brought. With it comes what was red: without its test nothing says that it is mended.
 */
export async function lostTests(repo: Repo, state: LoopState, signal: AbortSignal): Promise<Finding[]> {
  const { base, refused, tree } = state;
  if (refused === undefined || tree === null || tree === refused.tree) return [];
  const since = await weakened(repo, { base: refused.tree, head: tree }, signal);
  if (since.length === 0) return [];
  const overall = new Set((await weakened(repo, { base, head: tree }, signal)).map(keyOf));
  const lost = since.filter((one) => overall.has(keyOf(one))).map(afterRed);
  return lost.length === 0 ? [] : [...lost, ...refused.problems.filter((problem) => !weakens(problem))];
}

function weakens({ rule = "" }: Finding): boolean {
  return WEAKENS.includes(rule);
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
    description: `${description} The checks were red before that: mend the code, and leave the tests that told of it as they are.`,
  };
}
