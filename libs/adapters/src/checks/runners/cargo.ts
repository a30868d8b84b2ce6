import { counted, type Runner, stoppedEarly, total } from "./runner.ts";

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
    const found = counted(names, total(lines, /^test result: .*?\b(\d+) failed;/));
    // Each binary that fails has a line, and they are added up only where it went on to the last one.
    const failed = lines.filter((line) => /^error: (?:doc)?test failed, to rerun/.test(line)).length;
    return failed > total(lines, /^error: (\d+) targets? failed/)
      ? stoppedEarly(found, "cargo stopped at the first binary that fails", "add --no-fail-fast to the test command")
      : found;
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
