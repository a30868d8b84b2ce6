import { runners } from "./runners/index.ts";
import type { Failures } from "./runners/runner.ts";

/**
 * What fails around the tests themselves: workspaces, and coverage that is too low. It ends a run with the exit code that a red test
 * gives it, too, so that without names of its own it would be excused by any test that was red before.
 */
export function aroundTests(lines: string[]): Failures | null {
  const workspaces = [...new Set(named(lines, WORKSPACE))];
  const names = [
    ...workspaces.map((name) => `workspace ${name}`),
    ...named(lines, COVERAGE).map((of) => `${of} coverage`),
  ];
  if (names.length === 0) return null;
  // What a workspace came to is only known where a runner says it.
  const redLines = lines.join("\n").match(RED)?.length ?? 0;
  return { names, account: workspaces.length <= redLines ? "complete" : "partial" };
}

const WORKSPACE = /^npm (?:error|ERR!) workspace (\S+)@|\bERR_PNPM_\w+\s+(\S+)@\S+ \w+:/;
const COVERAGE =
  /\b(line|branch|function) coverage does not meet threshold|coverage threshold for (\w+) .*not met|Coverage for (\w+) .*does not meet|(Required test) coverage of|Coverage (failure): total/;
const RED = new RegExp(runners.flatMap(({ red }) => red?.source ?? []).join("|"), "gm");

function named(lines: readonly string[], pattern: RegExp): string[] {
  return lines.flatMap((line) => (pattern.exec(line) ?? []).slice(1).filter((group) => group !== undefined));
}
