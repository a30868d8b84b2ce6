import { counted, type Runner, total } from "./runner.ts";

const COUNTS = /^\s+\d+ (?:passing|failing|pending)\b/;
const FAILING = /^\s+(\d+) failing\b/;

/** mocha: its counts, and a numbered list of failures after them. */
export const mocha: Runner = {
  failing(lines) {
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
    return counted(names, total(lines, FAILING));
  },
  totals: {
    counts: COUNTS,
    ran: /(\d+) (?:passing|failing)/g,
    skipped: /(\d+) pending/g,
    notRun: /^\s+(?:\d+\) )?"(?:before|after) (?:all|each)" hook\b.*:$/,
  },
  block: { ends: COUNTS, after: /^(?:$| {2}\d+\) | {5,})/ },
  red: FAILING,
};
