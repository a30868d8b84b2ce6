import { counted, type Runner, total } from "./runner.ts";

/** mocha's numbered list of failures after its counts. */
export const mocha: Runner = (lines) => {
  const counts = lines.findIndex((line) => /^\s+\d+ (passing|failing)\b/.test(line));
  if (counts < 0) return null;
  const names: string[] = [];
  let title: string[] | null = null;
  for (const line of lines.slice(counts)) {
    const first = /^ {2}(\d+)\) (.*)$/.exec(line);
    if (first && Number(first[1]) === names.length + 1) title = [];
    if (title === null) continue;
    const part = (first && title.length === 0 ? first[2] : line)?.trim() ?? "";
    // The last part of a title ends with a colon of mocha's own.
    title.push(part.replace(/:$/, ""));
    if (part.endsWith(":")) {
      names.push(title.join(" > "));
      title = null;
    }
  }
  return counted(names, total(lines, /^\s+(\d+) failing\b/));
};
