import { type Runner, stoppedEarly, WITHOUT_BAIL, withoutTime } from "./runner.ts";

const VERSION = /^TAP version \d+/;

/** TAP, as node:test, tap and others write it; subtests are indented by four. node:test says the file below each result. */
export const tap: Runner = {
  failing(lines) {
    if (!lines.some((line) => VERSION.test(line))) return null;
    const above: string[] = [];
    const failures: { name: string; file?: string }[] = [];
    let [results, planned, block] = [0, 0, false];
    let latest: (typeof failures)[number] | null = null;
    for (const line of lines) {
      if (/^\s+(---|\.\.\.)$/.test(line)) block = line.trim() === "---";
      else if (block) {
        const file = /^\s*location: '(.*):\d+:\d+'$/.exec(line)?.[1];
        if (latest !== null && file !== undefined) latest.file ??= file;
        if (latest !== null && /^\s*failureType: 'subtestsFailed'/.test(line)) failures.pop();
      } else {
        const subtest = /^( *)# Subtest: (.*)$/.exec(line);
        if (subtest) above.splice(depthOf(subtest[1]), above.length, clean(subtest[2]));
        const result = /^( *)(ok|not ok)\b(?: \d+)?(?: -)? ?(.*)$/.exec(line);
        if (result?.[1] === "") results++;
        if (result) latest = null;
        if (result?.[2] === "not ok" && !/(?<!\\)# (TODO|SKIP)\b/i.test(result[3] ?? "")) {
          latest = { name: [...above.slice(0, depthOf(result[1])), clean(result[3])].join(" > ") };
          failures.push(latest);
        }
        planned += Number(/^1\.\.(\d+)/.exec(line)?.[1] ?? 0);
      }
    }
    const names = failures.map(({ name, file }) => (file === undefined ? name : `${file} > ${name}`));
    const account = planned > 0 && planned === results ? "complete" : "partial";
    return lines.some((line) => /^\s*Bail out!/.test(line))
      ? stoppedEarly({ names, account }, "the test runner ended before its last test", WITHOUT_BAIL)
      : { names, account };
  },
  totals: {
    only: VERSION,
    passes: /^\s*ok\b(?: \d+)?(?: -)? ?((?:(?!(?<!\\)# (?:TODO|SKIP)\b).)*)$/i,
    fails: /^\s*not ok\b(?: \d+)?(?: -)? ?((?:(?!(?<!\\)# (?:TODO|SKIP)\b).)*)$/i,
    skips: /^\s*(?:not )?ok\b.*(?<!\\)# (TODO|SKIP)\b/i,
  },
  block: { begins: VERSION, ends: /^(?:1\.\.\d+|# duration_ms )/, after: /^(?:\s|$|#|(?:not )?ok\b|\d+\.\.\d+)/ },
};

function depthOf(indent: string | undefined): number {
  return Math.floor((indent?.length ?? 0) / 4);
}

function clean(name: string | undefined): string {
  return withoutTime(name ?? "")
    .replace(/\\([#\\])/g, "$1")
    .trim();
}
