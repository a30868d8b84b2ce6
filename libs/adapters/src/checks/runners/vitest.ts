import { jestCounts } from "./jest.ts";
import { counted, type Runner, total } from "./runner.ts";

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
    return ended && !stray ? counted(names, failed) : { names, account: "partial" };
  },
  totals: { counts: /^\s*Tests {2,}\d/, ...jestCounts },
  block: { begins: STARTS, ends: /^\s+Duration\s+[\d.]+/ },
  red: /^\s*Tests .*\bfailed\b/,
};
