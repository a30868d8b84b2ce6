import { jestCounts } from "./jest.ts";
import { counted, type Runner, stoppedEarly, total, WITHOUT_BAIL } from "./runner.ts";

const STARTS = /^\s*(?:RUN|DEV)\s+v\d/;

/** vitest's default output: one `FAIL` line for each failing test or file. */
export const vitest: Runner = {
  failing(lines) {
    if (!lines.some((line) => STARTS.test(line) || /^\s*Test Files\s+\d/.test(line))) return null;
    const names = lines.flatMap((line) => {
      const name = /^\s*FAIL\s+(?:\|[^|]*\|\s+)?(\S.*)$/.exec(line)?.[1];
      return name === undefined || !/ > | \[ /.test(name) ? [] : [name.replace(/ \[ .* \]$/, "").trim()];
    });
    const failed = total(lines, /^\s*Tests\s+.*?\b(\d+) failed/) + total(lines, /Failed Suites (\d+)/);
    const ended = lines.some((line) => /^\s*Tests\s+/.test(line));
    const stray = lines.some((line) => /Unhandled (Error|Rejection)s?\b/.test(line));
    const found = ended && !stray ? counted(names, failed) : { names, account: "partial" as const };
    return lines.some(leavesOut) ? stoppedEarly(found, "vitest stopped at a failure", WITHOUT_BAIL) : found;
  },
  totals: { counts: /^\s*Tests {2,}\d/, ...jestCounts },
  block: { begins: STARTS, ends: /^\s+Duration\s+[\d.]+/ },
  red: /^\s*Tests .*\bfailed\b/,
};

/** Its counts by result come to less than its total where files or tests were not run, nor skipped on purpose. */
function leavesOut(line: string): boolean {
  const [, results, all] = /^\s*(?:Test Files|Tests) {2,}(\d.*) \((\d+)\)$/.exec(line) ?? [];
  if (results === undefined) return false;
  return results.split(" | ").reduce((sum, result) => sum + Number.parseInt(result, 10), 0) < Number(all);
}
