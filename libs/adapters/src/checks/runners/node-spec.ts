import { type Runner, total } from "./runner.ts";

/** The `spec` output of node:test: its list of failing tests at the end, by file. */
export const nodeSpec: Runner = (lines) => {
  if (!lines.some((line) => /^ℹ tests \d+$/.test(line))) return null;
  const names = lines.flatMap((line, at) => {
    const file = /^test at (.*):\d+:\d+$/.exec(lines[at - 1] ?? "")?.[1];
    const name = /^✖ (.*?)(?: \([\d.]+ms\))?( # (?:TODO|SKIP).*)?$/.exec(line);
    return file === undefined || !name || name[2] !== undefined ? [] : [`${file} > ${name[1]}`];
  });
  const failed = total(lines, /^ℹ (?:fail|cancelled) (\d+)$/);
  // A test whose subtests failed is counted, but not listed.
  const plausible = failed === 0 ? names.length === 0 : names.length > 0 && names.length <= failed;
  return { names, account: plausible ? "complete" : "partial" };
};
