import { stripVTControlCharacters } from "node:util";
import type { TestTotals } from "@anneal/types";
import { runners } from "./runners/index.ts";
import { type Totals, withoutTime } from "./runners/runner.ts";

/** What the tests of an output came to; null where no runner tells. */
export function testTotals(output: string): TestTotals | null {
  const printed = stripVTControlCharacters(output).split(/\r?\n/);
  const lines = runners.reduce((all, { joined }) => joined?.(all) ?? all, printed);
  const read = runners.flatMap(({ totals }) => totals).flatMap((totals) => totalsBy(totals, lines) ?? []);
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
  const { counts, only = counts, unless } = runner;
  if (only === undefined || !lines.some((line) => only.test(line))) return null;
  if (unless !== undefined && lines.some((line) => unless.test(line))) return null;
  const passed = firstGroups(lines, runner.passes).filter(isTest);
  const red = firstGroups(lines, runner.fails, runner.repeats);
  const failed = red.filter(isTest);
  const skips = firstGroups(lines, runner.skips).length;
  if (counts === undefined) return { ran: passed.length + failed.length, skipped: skips, passed, failed };
  const counted = lines.filter((line) => counts.test(line));
  const skipped = sum(counted, runner.skipped);
  const within = runner.ranHoldsSkipped ? skipped : 0;
  const files = red.length - failed.length;
  const ran = sum(counted, runner.ran) - files - firstGroups(lines, runner.notRun).length - within;
  const most = mostRun(lines, runner, counted.length) - skipped;
  return { ran: Math.max(0, Math.min(ran, most)), skipped, passed, failed };
}

function mostRun(lines: string[], { found }: Totals, runs: number): number {
  const matching = found === undefined ? [] : lines.filter((line) => line.search(found) === 0);
  return matching.length === runs ? sum(matching, found) : Number.POSITIVE_INFINITY;
}

/** A file that could not be loaded, or failed after its tests, is listed and counted like a test, and is not one once it loads. */
function isTest(name: string): boolean {
  return !/^\S+\.(?:[cm]?[jt]sx?|py)$/.test(name);
}

function firstGroups(lines: string[], pattern: RegExp | undefined, notBelow?: RegExp): string[] {
  if (pattern === undefined) return [];
  return lines.flatMap((line, at) => {
    const found = pattern.exec(line);
    return found === null || notBelow?.test(lines[at - 1] ?? "") ? [] : [withoutTime(found[1] ?? "")];
  });
}

/** A pattern without a number counts how often it is there. */
function sum(lines: string[], pattern: RegExp | undefined): number {
  if (pattern === undefined) return 0;
  return lines
    .flatMap((line) => [...line.matchAll(pattern)])
    .reduce((all, found) => all + Number(found[1] ?? found[2] ?? 1), 0);
}
