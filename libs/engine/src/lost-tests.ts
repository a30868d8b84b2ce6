import { builtinReviewer } from "@anneal/adapters/builtin/reviewer";
import type { Repo } from "@anneal/adapters/git";
import type { Finding, LoopState } from "@anneal/types";

const WEAKENS = ["test-removed", "assertions-removed", "skipped-test", "focused-test"];

/**
 * What a fix for red checks has taken from the tests: what was there when the checks refused the change, and is missing against the base as well.
 * So the fixer may correct or drop a test that the change itself brought.
 */
export async function lostTests(repo: Repo, state: LoopState, signal: AbortSignal): Promise<Finding[]> {
  const { base, refused, tree } = state;
  if (refused === undefined || tree === null || tree === refused) return [];
  const since = await weakened(repo, { base: refused, head: tree }, signal);
  if (since.length === 0) return [];
  const overall = new Set((await weakened(repo, { base, head: tree }, signal)).map(keyOf));
  return since.filter((one) => overall.has(keyOf(one))).map(afterRed);
}

async function weakened(repo: Repo, ends: { base: string; head: string }, signal: AbortSignal): Promise<Finding[]> {
  const change = repo.change({ ...ends, headKind: "tree" });
  try {
    const { report } = await builtinReviewer.review(change, signal);
    return report.status === "complete" ? report.findings.filter(({ rule = "" }) => WEAKENS.includes(rule)) : [];
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
