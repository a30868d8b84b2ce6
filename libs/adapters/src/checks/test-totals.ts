import { stripVTControlCharacters } from "node:util";
import type { TestTotals } from "@anneal/types";

/** How one kind of runner tells what it ran. Each pattern's first group is the number, or the name. */
interface Totals {
  /** Lines with counts. */
  counts?: RegExp;
  ran?: RegExp;
  skipped?: RegExp;
  /** Lines about something that is counted as run, and is no test of its own. */
  notRun?: RegExp;
  /** Lines with the number of tests that were found, what is skipped included, where each run has one; no more can have run. */
  found?: RegExp;
  /** Lines about single tests, where it lists them all; without counts, these are counted. */
  passes?: RegExp;
  fails?: RegExp;
  skips?: RegExp;
  /** Nothing is read from an output that has none of these. */
  only?: RegExp;
}

const RUNNERS = {
  tap: {
    only: /^TAP version \d+/,
    passes: /^\s*ok\b(?: \d+)?(?: -)? ?((?:(?!(?<!\\)# (?:TODO|SKIP)\b).)*)$/i,
    fails: /^\s*not ok\b(?: \d+)?(?: -)? ?((?:(?!(?<!\\)# (?:TODO|SKIP)\b).)*)$/i,
    skips: /^\s*(?:not )?ok\b.*(?<!\\)# (TODO|SKIP)\b/i,
  },
  nodeSpec: {
    counts: /^ℹ (?:pass|fail|cancelled|skipped|todo) \d+$/,
    ran: /(?:pass|fail|cancelled) (\d+)/g,
    skipped: /(?:skipped|todo) (\d+)/g,
    passes: /^\s*✔ (.*) \([\d.]+ms\)$/,
    fails: /^\s*✖ (.*) \([\d.]+ms\)$/,
  },
  vitest: {
    counts: /^\s*Tests {2,}\d/,
    ran: /(\d+) (?:passed|failed)/g,
    skipped: /(\d+) (?:skipped|todo)/g,
  },
  jest: {
    counts: /^Tests: /,
    ran: /(\d+) (?:passed|failed)/g,
    skipped: /(\d+) (?:skipped|todo)/g,
  },
  mocha: {
    counts: /^\s+\d+ (?:passing|failing|pending)\b/,
    ran: /(\d+) (?:passing|failing)/g,
    skipped: /(\d+) pending/g,
    notRun: /^\s+(?:\d+\) )?"(?:before|after) (?:all|each)" hook\b.*:$/,
  },
  pytest: {
    counts: /^(?:=+ )?(?:\d+ [a-z]+, )*\d+ [a-z]+ in [\d.]+s\b/,
    ran: /(\d+) (?:passed|failed|errors?)\b/g,
    skipped: /(\d+) (?:skipped|xfailed|xpassed|deselected)/g,
    notRun: /^_+ ERROR at teardown of /,
    // Without tracebacks, nothing else tells of errors that are counted beside their test.
    found:
      /^(?:collecting \.\.\. )?collected (\d+) items?|(?<=^(?:collecting \.\.\. )?collected .* \/ )(\d+) (?:errors?|skipped)/g,
    passes: /^(\S+::.*\S) PASSED(?: +\[ *\d+%\])?$/,
    fails: /^(\S+::.*\S) FAILED(?: +\[ *\d+%\])?$/,
  },
  unittest: {
    counts: /^(?:Ran \d+ tests? in |(?:OK|FAILED) \()/,
    ran: /^Ran (\d+) /g,
    skipped: /(?:skipped|expected failures)=(\d+)/g,
  },
  cargo: {
    counts: /^test result: /,
    ran: /(\d+) (?:passed|failed|measured)/g,
    skipped: /(\d+) (?:ignored|filtered out)/g,
    passes: /^test (\S.*?)(?: - should panic)?(?: \(line \d+\))? \.\.\. ok$/,
    fails: /^test (\S.*?)(?: - should panic)?(?: \(line \d+\))? \.\.\. FAILED$/,
  },
  goVerbose: {
    only: /^=== RUN /,
    passes: /^\s*--- PASS: (\S+)/,
    fails: /^\s*--- FAIL: (\S+)/,
    skips: /^\s*--- SKIP: (\S+)/,
  },
  /** Without -v go names no test that passed: its packages are what can be counted. */
  goPackages: {
    counts: /^(?:ok {2}|FAIL)\t\S+(?!.*\[no tests to run\])/,
    ran: /^(?:ok {2}|FAIL)\t/g,
  },
} satisfies Record<string, Totals>;

/** What the tests of an output came to; null where no runner tells. */
export function testTotals(output: string): TestTotals | null {
  const lines = withNames(stripVTControlCharacters(output).split(/\r?\n/));
  const read = Object.values(RUNNERS).flatMap((runner: Totals) => totalsBy(runner, lines) ?? []);
  return read.length === 0 ? null : read.reduce(addTotals);
}

export function addTotals(one: TestTotals, other: TestTotals): TestTotals {
  return {
    ran: one.ran + other.ran,
    skipped: one.skipped + other.skipped,
    passed: [...one.passed, ...other.passed],
    failed: [...one.failed, ...other.failed],
  };
}

function totalsBy(runner: Totals, lines: string[]): TestTotals | null {
  const { counts, only = counts } = runner;
  if (only === undefined || !lines.some((line) => only.test(line))) return null;
  const passed = firstGroups(lines, runner.passes).filter(isTest);
  // node:test repeats its failures below the counts, each under the place where it stands.
  const red = firstGroups(lines, runner.fails, /^test at /);
  const failed = red.filter(isTest);
  const skips = firstGroups(lines, runner.skips).length;
  if (counts === undefined) return { ran: passed.length + failed.length, skipped: skips, passed, failed };
  const counted = lines.filter((line) => counts.test(line));
  const skipped = sum(counted, runner.skipped);
  // unittest's total holds what it skipped.
  const within = runner === RUNNERS.unittest ? skipped : 0;
  const files = red.length - failed.length;
  const ran = sum(counted, runner.ran) - files - firstGroups(lines, runner.notRun).length - within;
  const most = mostRun(lines, runner, counted.length) - skipped;
  return { ran: Math.max(0, Math.min(ran, most)), skipped, passed, failed };
}

function mostRun(lines: string[], { found }: Totals, runs: number): number {
  const told = found === undefined ? [] : lines.filter((line) => line.search(found) === 0);
  return told.length === runs ? sum(told, found) : Number.POSITIVE_INFINITY;
}

const PYTEST_NAME = /^(\S+::[^\s[]+(?:\[.*?\])?)(?: |$)/;
const PYTEST_RESULT = /^(PASSED|FAILED)(?: +\[ *\d+%\])?$/;
const XDIST_RESULT = /^\[gw\d+\] \[ *\d+%\] (PASSED|FAILED) (\S+::.*\S) *$/;

/** What a test of `pytest -v` prints or logs comes between its name and its result; xdist has the result first. */
function withNames(lines: string[]): string[] {
  let name = "";
  return lines.map((line) => {
    const [, first, named] = XDIST_RESULT.exec(line) ?? [];
    if (first !== undefined) return `${named} ${first}`;
    name = PYTEST_NAME.exec(line)?.[1] ?? name;
    return name !== "" && PYTEST_RESULT.test(line) ? `${name} ${line}` : line;
  });
}

/** A file that could not be loaded, or failed after its tests, is listed and counted like a test, and is none once it can. */
function isTest(name: string): boolean {
  return !/^\S+\.(?:[cm]?[jt]sx?|py)$/.test(name);
}

function firstGroups(lines: string[], pattern: RegExp | undefined, notBelow?: RegExp): string[] {
  if (pattern === undefined) return [];
  return lines.flatMap((line, at) => {
    const found = pattern.exec(line);
    return found === null || notBelow?.test(lines[at - 1] ?? "") ? [] : [(found[1] ?? "").replace(/ # time=.*$/, "")];
  });
}

/** A pattern without a number counts how often it is there. */
function sum(lines: string[], pattern: RegExp | undefined): number {
  if (pattern === undefined) return 0;
  return lines
    .flatMap((line) => [...line.matchAll(pattern)])
    .reduce((all, found) => all + Number(found[1] ?? found[2] ?? 1), 0);
}
