import { counted, type Runner, total } from "./runner.ts";

const RULE = /^={70}$/;

/** Python's unittest: a headed block for each failure and error, and their counts at the end. */
export const unittest: Runner = (lines) => {
  if (!lines.some((line) => /^Ran \d+ tests? in [\d.]+s$/.test(line))) return null;
  const names = lines.flatMap((line, at) => {
    const name = /^(?:FAIL|ERROR|UNEXPECTED SUCCESS): (\S.*)$/.exec(line)?.[1];
    return name !== undefined && RULE.test(lines[at - 1] ?? "") ? [name] : [];
  });
  const counts = lines.filter((line) => /^FAILED \(.+\)$/.test(line));
  const failed = ["failures", "errors", "unexpected successes"].map((word) =>
    total(counts, new RegExp(`[( ]${word}=(\\d+)`)),
  );
  return counted(names, sum(failed));
};

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
