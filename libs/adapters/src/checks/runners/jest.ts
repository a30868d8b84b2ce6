import { counted, type Runner, total } from "./runner.ts";

/** jest's default output: a `FAIL` line for each file, and a bullet for each failing test below it. */
export const jest: Runner = (lines) => {
  if (!lines.some((line) => /^Test Suites: /.test(line))) return null;
  const names = new Set<string>();
  let broken = 0;
  let file = "";
  for (const line of lines) {
    file = /^FAIL (\S.*?)(?: \([\d.]+ m?s\))?$/.exec(line)?.[1] ?? file;
    const name = /^ {2}● (\S.*)$/.exec(line)?.[1];
    if (name === undefined || name === "Console") continue;
    if (name === "Test suite failed to run" && !names.has(file)) broken++;
    names.add(name === "Test suite failed to run" ? file : `${file} > ${name}`);
  }
  return counted([...names], total(lines, /^Tests: .*?\b(\d+) failed/) + broken);
};
