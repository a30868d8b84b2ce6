import type { Runner } from "./runner.ts";

/**
 * What fails around the tests themselves: workspaces, and coverage that is too low. It ends a run with the exit code that a red test
 * gives it, too, so that without names of its own it would be excused by any test that was red before.
 */
export const around: Runner = (lines) => {
  const workspaces = [...new Set(named(lines, WORKSPACE))];
  const names = [
    ...workspaces.map((name) => `workspace ${name}`),
    ...named(lines, COVERAGE).map((of) => `${of} coverage`),
  ];
  if (names.length === 0) return null;
  // What a workspace came to is only known where a runner says it.
  const told = lines.join("\n").match(RED_SUMMARY)?.length ?? 0;
  return { names, account: workspaces.length <= told ? "complete" : "partial" };
};

const WORKSPACE = /^npm (?:error|ERR!) workspace (\S+)@|\bERR_PNPM_\w+\s+(\S+)@\S+ \w+:/;
const COVERAGE =
  /\b(line|branch|function) coverage does not meet threshold|coverage threshold for (\w+) .*not met|Coverage for (\w+) .*does not meet|(Required test) coverage of|Coverage (failure): total/;
const RED_SUMMARY =
  /^(?:ℹ|#) fail (?:[1-9]|0\n(?:ℹ|#) cancelled [1-9])|^\s*Tests:? .*\bfailed\b|^.*\b\d+ (?:failed|errors?)\b.* in [\d.]+s|^FAILED \(|^test result: FAILED|^\s+\d+ failing\b|^FAIL\t/gm;

function named(lines: readonly string[], pattern: RegExp): string[] {
  return lines.flatMap(
    (line) =>
      pattern
        .exec(line)
        ?.slice(1)
        .find((group) => group !== undefined) ?? [],
  );
}
