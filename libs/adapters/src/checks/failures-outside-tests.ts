import { outputLines } from "./output-lines.ts";
import { runners } from "./runners/index.ts";

/**
 * Lines that tell of a failure and are no part of what a test runner printed, as in `vitest run; tsc`: the exit code that red tests
 * explain may be another program's. Places and durations are left out, since they shift without being another failure.
 */
export function failuresOutsideTests(output: string, root: string): string[] {
  return outside(outputLines(output, root))
    .filter((line) => FAILS.some((sign) => sign.test(line)) && !HARMLESS.some((sign) => sign.test(line)))
    .map((line) => line.replace(NUMBER, "#").trim())
    .sort();
}

function outside(lines: readonly string[]): string[] {
  const found: string[] = [];
  let open: string[] = [];
  let after: RegExp | undefined;
  for (const line of lines) {
    const block = runners.find((runner) => runner.block.ends.test(line))?.block;
    if (block) {
      const { begins } = block;
      const start = begins === undefined ? 0 : open.findIndex((one) => begins.test(one));
      found.push(...open.slice(0, Math.max(start, 0)));
      [open, after] = [[], block.after];
    } else if (!after?.test(line)) {
      open.push(line);
      after = undefined;
    }
  }
  return [...found, ...open];
}

const FAILS = [
  /(?<![\w/.-])\w*(?:errors?|exception)(?![\w/-]|\.\w)/i,
  /(?<![\w/.-])(?:fail(?:s|ed|ure|ures|ing)?|fatal|panic(?:ked)?|problems?|issues?|violations?|offenses?)(?![\w/-]|\.\w)/i,
  /\bwould (?:be )?reformat/,
  /^\[(?:warn|error)\]/,
  /^\s*\S*\.[A-Za-z]\w*[:(]\d+(?:[:,]\d+)?\)?:(?!.*\bwarning\b)/i,
];
const HARMLESS = [
  /\b(?:0|no) (?:errors?|problems?|failures?|issues?|violations?|offenses?)\b/i,
  // Npm's own words about a script that failed; what is in them for us has names elsewhere.
  /^npm (?:error|ERR!)/,
  /^error: (?:(?:doc)?test failed, to rerun|\d+ targets? failed)/,
];
/** Counts of failures stay, and so do the digits of a rule's name. */
const NUMBER =
  /(?<![A-Za-z\d])\d+(?:\.\d+)*(?!\d)(?! (?:\w+ )?(?:errors?|problems?|fail|issues?|violations?|offenses?))/g;
