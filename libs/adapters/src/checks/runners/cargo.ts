import { counted, type Runner, total } from "./runner.ts";

const RESULT = /^test result: /;

/** cargo test: one line for each test, and a result with counts for each binary. */
export const cargo: Runner = {
  failing(lines) {
    if (!lines.some((line) => RESULT.test(line))) return null;
    const names = lines.flatMap((line) => {
      const name = /^test (\S.*?)(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1];
      // The line of a documentation test shifts with the text above it.
      return name === undefined ? [] : [name.replace(/ \(line \d+\)/, "")];
    });
    return counted(names, total(lines, /^test result: .*?\b(\d+) failed;/));
  },
  totals: {
    counts: RESULT,
    ran: /(\d+) (?:passed|failed|measured)/g,
    skipped: /(\d+) (?:ignored|filtered out)/g,
    passes: /^test (\S.*?)(?: - should panic)?(?: \(line \d+\))? \.\.\. ok$/,
    fails: /^test (\S.*?)(?: - should panic)?(?: \(line \d+\))? \.\.\. FAILED$/,
  },
  block: { begins: /^running \d+ tests?$/, ends: RESULT },
  red: /^test result: FAILED/,
};
