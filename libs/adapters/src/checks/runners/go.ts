import type { Runner } from "./runner.ts";

const FAILS = /^\s*--- FAIL: (\S+)/;
/** With -v, each test says when it begins. */
const RUNS = /^=== RUN /;

/** go test: failing tests come before the line of their package. */
export const go: Runner = {
  failing(lines) {
    if (!lines.some((line) => /^(ok {2}|FAIL|\? {3})\t\S/.test(line))) return null;
    const names: string[] = [];
    let waiting: string[] = [];
    for (const line of lines) {
      const test = FAILS.exec(line)?.[1];
      if (test !== undefined) waiting.push(test);
      const [, verdict, name] = /^(ok {2}|FAIL)\t(\S+(?: \[[^\]]*\])?)/.exec(line) ?? [];
      if (verdict === undefined || name === undefined) continue;
      if (verdict === "FAIL")
        names.push(...(waiting.length === 0 ? [name] : leaves(waiting).map((one) => `${name}.${one}`)));
      waiting = [];
    }
    // After a panic or an exit the other tests of that package have not run.
    const cutShort = lines.some((line) => /^(panic: |exit status [^1]|signal: )/.test(line));
    return { names, account: waiting.length === 0 && !cutShort ? "complete" : "partial" };
  },
  totals: [
    { only: RUNS, passes: /^\s*--- PASS: (\S+)/, fails: FAILS, skips: /^\s*--- SKIP: (\S+)/ },
    // Without -v go names no test that passed: its packages are what can be counted.
    { unless: RUNS, counts: /^(?:ok {2}|FAIL)\t\S+(?!.*\[no tests to run\])/, ran: /^(?:ok {2}|FAIL)\t/g },
  ],
  block: { ends: /^(?:(?:ok {2}|FAIL|\? {3})\t\S|FAIL$)/ },
  red: /^FAIL\t/,
};

/** A test whose subtests failed says nothing by itself. */
function leaves(tests: string[]): string[] {
  return tests.filter((test) => !tests.some((other) => other.startsWith(`${test}/`)));
}
