import { counted, type Runner, stoppedEarly, total } from "./runner.ts";

const COUNTS = /^(?:=+ )?(?:\d+ [a-z]+, )*\d+ [a-z]+ in [\d.]+s\b/;
const NAME = /^(\S+::[^\s[]+(?:\[.*?\])?)(?: |$)/;
const RESULT = /^(PASSED|FAILED)(?: +\[ *\d+%\])?$/;
const XDIST_RESULT = /^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED) (\S+::.*\S) *$/;

/** It says between exclamation marks why it did not get to its end. */
const ENDED = /^!+ (.+) !+$/;
const SUMMARY = /^=+ short test summary info =+$/;

/** pytest: failed tests and errors by node id in its short summary. */
export const pytest: Runner = {
  failing(lines) {
    if (!lines.some((line) => /^=+ (test session starts|short test summary info) =+$/.test(line))) return null;
    const names = lines.flatMap((line) => {
      const id = /^(?:FAILED|ERROR) (\S.*)$/.exec(line)?.[1];
      return id === undefined ? [] : [withoutMessage(id)];
    });
    const counts = lines.filter((line) => COUNTS.test(line));
    const failed = total(counts, /\b(\d+) failed\b/) + total(counts, /\b(\d+) errors?\b/);
    const found = counts.length > 0 ? counted(names, failed) : { names, account: "partial" as const };
    // What tests print stands above the summary.
    const closing = lines.slice(
      Math.max(
        0,
        lines.findLastIndex((line) => SUMMARY.test(line)),
      ),
    );
    const ended = closing.flatMap((line) => ENDED.exec(line)?.[1] ?? [])[0];
    return ended === undefined ? found : stoppedEarly(found, ...whyEnded(ended));
  },
  totals: {
    counts: COUNTS,
    ran: /(\d+) (?:passed|failed|errors?)\b/g,
    skipped: /(\d+) (?:skipped|xfailed|xpassed|deselected)/g,
    notRun: /^_+ ERROR at teardown of /,
    // Without tracebacks, nothing else tells of errors that are counted in addition to their test.
    found:
      /^(?:collecting \.\.\. )?collected (\d+) items?|(?<=^(?:collecting \.\.\. )?collected .* \/ )(\d+) (?:errors?|skipped)/g,
    passes: /^(\S+::.*\S) PASSED(?: +\[ *\d+%\])?$/,
    fails: /^(\S+::.*\S) FAILED(?: +\[ *\d+%\])?$/,
  },
  block: { begins: /^=+ test session starts =+$/, ends: COUNTS },
  red: /^.*\b\d+ (?:failed|errors?)\b.* in [\d.]+s/,
  // What a test of `pytest -v` prints or logs comes between its name and its result; xdist has the result first.
  joined(lines) {
    let name = "";
    return lines.map((line) => {
      const [, first, named] = XDIST_RESULT.exec(line) ?? [];
      if (first !== undefined) return `${named} ${first}`;
      name = NAME.exec(line)?.[1] ?? name;
      return name !== "" && RESULT.test(line) ? `${name} ${line}` : line;
    });
  },
};

function whyEnded(why: string): [what: string, advice: string] {
  if (/during collection$/.test(why))
    return [
      "pytest ran no test, because it could not collect some files",
      "add --continue-on-collection-errors to the test command",
    ];
  if (/stopping after \d+ failures?$/.test(why))
    return ["pytest stopped at a failure", "remove -x or --maxfail from the test command, or from pytest's settings"];
  return [`pytest was ended before its last test (${why})`, "find out what ends it"];
}

/** A node id may itself hold the separator, inside its brackets. */
function withoutMessage(text: string): string {
  const [first = "", ...rest] = text.split(" - ");
  let id = first;
  for (const part of rest) {
    if (count(id, "[") <= count(id, "]")) break;
    id += ` - ${part}`;
  }
  return id;
}

function count(text: string, sign: string): number {
  return text.split(sign).length - 1;
}
