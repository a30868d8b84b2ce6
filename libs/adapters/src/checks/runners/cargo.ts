import { counted, type Runner, total } from "./runner.ts";

/** cargo test: one line for each test, and a result with counts for each binary. */
export const cargo: Runner = (lines) => {
  if (!lines.some((line) => /^test result: /.test(line))) return null;
  const names = lines.flatMap((line) => {
    const name = /^test (\S.*?)(?: - should panic)? \.\.\. FAILED$/.exec(line)?.[1];
    // The line of a documentation test shifts with the text above it.
    return name === undefined ? [] : [name.replace(/ \(line \d+\)/, "")];
  });
  return counted(names, total(lines, /^test result: .*?\b(\d+) failed;/));
};
