import { counted, type Runner, stoppedEarly, total, WITHOUT_BAIL } from "./runner.ts";

/** Vitest's words, too. */
export const jestCounts = { ran: /(\d+) (?:passed|failed)/g, skipped: /(\d+) (?:skipped|todo)/g };

/** jest's default output: a `FAIL` line for each file, and a bullet for each error of a failing test below it. */
export const jest: Runner = {
  failing(lines) {
    if (!lines.some((line) => /^Test Suites: /.test(line))) return null;
    const names: string[] = [];
    const broken = new Set<string>();
    let file = "";
    // After many files all failures are printed once more.
    for (const line of lines.slice(lines.indexOf("Summary of all failing tests") + 1)) {
      file = /^FAIL (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file;
      const name = /^ {2}● (\S.*)$/.exec(line)?.[1];
      if (name === undefined || name === "Console") continue;
      if (name === "Test suite failed to run") broken.add(file);
      names.push(name === "Test suite failed to run" ? file : `${file} > ${name}`);
    }
    const failed = total(lines, /^Tests: .*?\b(\d+) failed/) + broken.size;
    // A name is there twice for two tests, or for two errors of one test: jest's own count tells which.
    const found = counted(names.length === failed ? names : [...new Set(names)], failed);
    const bailed = lines.some((line) => /^Test Suites: .*\b\d+ of \d+ total/.test(line));
    return bailed ? stoppedEarly(found, "jest stopped at a failure", WITHOUT_BAIL) : found;
  },
  totals: { counts: /^Tests: /, ...jestCounts },
  block: { ends: /^Ran all test suites/ },
  red: /^\s*Tests: .*\bfailed\b/,
};
