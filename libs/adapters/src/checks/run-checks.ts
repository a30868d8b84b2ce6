import type { Argv } from "@anneal/system/programs/command";
import type { TestTotals } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { splitArgv } from "./argv.ts";
import { type Baseline, baselineRun } from "./baseline.ts";
import { behindRed } from "./behind-red.ts";
import {
  type CheckRun,
  type CheckRunOptions,
  type CheckTree,
  checkOnce,
  type ObservedRun,
  together,
} from "./check-run.ts";
import { inBoth, moreOften } from "./name-counts.ts";
import { notExecutable } from "./on-path.ts";

export interface ChecksRequest extends CheckRunOptions {
  worktree: CheckTree;
  /** As one line, split at spaces and quotes without a shell, or as an argument list. Nothing: there are no checks. */
  command: string | readonly string[] | null;
  /** Without it, every failure is blamed on the change. */
  baseline?: Baseline;
}

export interface ChecksResult {
  /** `passed` also where nothing fails but what failed before the change; `unusable` where the command cannot be run, and could not before. */
  result: "passed" | "failed" | "flaky" | "timed-out" | "unusable" | "not-configured";
  /** Names under which more tests fail with the change than without it. */
  blamed: string[];
  /** Names under which tests failed without the change, too, each as often: where one is blamed as well, several tests have it. */
  preexisting: string[];
  /** Names under which tests failed and passed on the same code. */
  flaky: string[];
  output: string;
  /** What the run that decided said of its tests; nothing where that cannot be read. */
  totals?: TestTotals;
  /** What a person should know about how this result came about. */
  note?: string;
  sandboxed?: "bwrap" | "none";
  notSandboxed?: string;
}

/**
 * Runs the project's checks and blames on the change only what it broke.
 * Failures are excused by the baseline if the exit code is the same and each of them is named there as often, both outputs being complete.
 * Outside the tests, no line may report a failure that the baseline did not report: it may be another program's exit code.
 * A failure without a name is never excused: the same exit code may hide another one. Nor is a program that was killed.
 * Only what ran to its end can excuse: where a shell's `a && b` does not get to `b` because of what is excused, `b` is run nevertheless.
 * A change that mends `a` gets to `b` for the first time: what fails there is compared with `b` alone.
 * A program that is missing with and without the change is reported by itself: whoever set the command has to correct it.
 */
export async function runChecks(request: ChecksRequest): Promise<ChecksResult> {
  const argv = argvOf(request.command);
  if (argv === null) return { result: "not-configured", blamed: [], preexisting: [], flaky: [], output: "" };
  const result = await runArgv(argv, request);
  if (result.result === "failed") return (await oneByOne(argv, request)) ?? result;
  if (!passes(result) || result.preexisting.length === 0) return result;
  const hidden = await behindRed(argv, request.worktree.root);
  if ("unknown" in hidden) return { ...result, result: "failed", note: hidden.unknown };
  for (const further of hidden.further) {
    const behind = await runArgv(further, request);
    if (!passes(behind))
      return {
        ...behind,
        note: `\`${further.at(-1)}\` fails, which an earlier failing program had hidden: ${behind.note}`,
      };
  }
  return result;
}

/** Each program of `a && b` against itself before the change; null where that says no more than the line does. */
async function oneByOne(argv: Argv, request: ChecksRequest): Promise<ChecksResult | null> {
  const { worktree, command: _, baseline, ...settings } = request;
  const { run } = await baselineOf(baseline, argv, settings);
  if (run === null || run.status === 0) return null;
  const hidden = await behindRed(argv, worktree.root);
  if ("unknown" in hidden || hidden.first === undefined) return null;
  const results: ChecksResult[] = [];
  for (const program of [hidden.first, ...hidden.further]) {
    const result = await runArgv(program, request);
    if (!passes(result)) return { ...result, note: `in \`${program.at(-1)}\`: ${result.note}` };
    results.push(result);
  }
  const flaky = results.flatMap((result) => result.flaky);
  return {
    ...(results.at(-1) ?? { output: "" }),
    result: flaky.length === 0 ? "passed" : "flaky",
    blamed: [],
    preexisting: results.flatMap((result) => result.preexisting),
    flaky,
  };
}

function passes({ result }: ChecksResult): boolean {
  return result === "passed" || result === "flaky";
}

async function runArgv(argv: Argv, request: ChecksRequest): Promise<ChecksResult> {
  const { worktree, command: _, baseline, ...settings } = request;
  const first = await checkOnce(argv, worktree, settings);
  const seen = shown(first);
  if (first.status === 0) return { result: "passed", ...nobody, ...seen };
  if (first.status === "timed-out" || first.status === "silent") {
    return {
      result: "timed-out",
      ...nobody,
      ...seen,
      note: `the checks ${first.status === "silent" ? "printed nothing for too long" : "took too long"} and were stopped`,
    };
  }
  if (!isVerdict(first) && !isMissing(first)) return unproven("failed", first, argv, worktree.root);

  const before = await baselineOf(baseline, argv, settings);
  // A program that was there without the change is missing because of it; what never was there is not the change's fault.
  if (isMissing(first)) {
    const never = baseline !== undefined && (before.run === null || isMissing(before.run));
    return unproven(never ? "unusable" : "failed", first, argv, worktree.root);
  }
  if (isExcused(first, before.run)) return excused(first, seen);
  const again = await checkOnce(argv, worktree, settings);
  if (again.status === 0) {
    return {
      result: "flaky",
      ...nobody,
      flaky: distinct(first.failing),
      ...seen,
      ...totalsOf(again),
      note: "the checks failed once and then passed",
    };
  }
  // Of the change, what is reported outside the tests counts even if the two runs word it differently.
  const run = { ...together(first, again), outsideTests: again.outsideTests };
  if (isExcused(run, before.run)) {
    const passed = { ...excused(run, seen), ...totalsOf(again) };
    return run.flaky.length === 0 ? passed : { ...passed, result: "flaky", flaky: run.flaky };
  }
  const known = before.run?.failing ?? [];
  return {
    result: "failed",
    blamed: moreOften(run.failing, known),
    preexisting: inBoth(run.failing, known),
    flaky: run.flaky,
    ...shown(again),
    ...totalsOf(again, before.run),
    note: reason(run, before),
  };
}

const nobody = { blamed: [], preexisting: [], flaky: [] };

function argvOf(command: ChecksRequest["command"]): Argv | null {
  if (command === null || command.length === 0) return null;
  if (typeof command === "string") return command.trim() === "" ? null : splitArgv(command);
  const [program = "", ...args] = command;
  return [program, ...args];
}

interface Before {
  run: CheckRun | null;
  /** Why there is none. */
  missing?: string;
}

async function baselineOf(baseline: Baseline | undefined, argv: Argv, settings: CheckRunOptions): Promise<Before> {
  if (!baseline)
    return { run: null, missing: "the checks did not run on the base, so there is nothing to compare with" };
  try {
    return { run: await baselineRun(baseline, argv, settings) };
  } catch (error) {
    settings.signal?.throwIfAborted();
    const why = errorMessage(error);
    return { run: null, missing: `the checks could not run on the base: ${why}` };
  }
}

/** Exit codes of a shell for a program that is missing, cannot be run, or was killed say nothing about tests. */
function isVerdict({ status }: CheckRun): boolean {
  return typeof status === "number" && status < 126;
}

function isMissing({ status }: CheckRun): boolean {
  return status === "not-found" || status === 126 || status === 127;
}

function unproven(result: "failed" | "unusable", run: ObservedRun, argv: Argv, root: string): ChecksResult {
  return { result, ...nobody, ...shown(run), note: whyNoVerdict(run, argv, root) };
}

function isExcused(now: CheckRun, before: CheckRun | null): boolean {
  if (before === null || before.status === 0 || now.status !== before.status || !isVerdict(now)) return false;
  if (now.account !== "complete" || before.account !== "complete") return false;
  const more = [...moreOften(now.failing, before.failing), ...moreOften(now.outsideTests, before.outsideTests)];
  return now.failing.length > 0 && more.length === 0;
}

function excused({ failing }: CheckRun, seen: ReturnType<typeof shown>): ChecksResult {
  const note = "only tests fail that already failed before the change";
  return { result: "passed", ...nobody, preexisting: failing, ...seen, note };
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)];
}

const SHOWN_CHARS = 64_000;

function shown(run: ObservedRun) {
  const { output, sandboxed, notSandboxed } = run;
  const said = { output: output.slice(-SHOWN_CHARS), sandboxed, ...totalsOf(run) };
  return notSandboxed === undefined ? said : { ...said, notSandboxed };
}

/** A red run may have ended before it got to what is skipped with and without the change. */
function totalsOf({ totals }: ObservedRun, before: CheckRun | null = null): Pick<ChecksResult, "totals"> {
  return totals === null ? {} : { totals: { ...totals, skipped: Math.max(totals.skipped, before?.skipped ?? 0) } };
}

function whyNoVerdict({ status }: CheckRun, [program]: Argv, root: string): string {
  if (status === "not-found")
    return notExecutable(program, root) ?? `${program} was not found: install it, or correct the command`;
  if (status === 127)
    return `${program} was not found, or did not find a program that it runs: install it, or correct the command`;
  if (status === 126) return `${program} cannot be run: make it executable, or correct the command`;
  return `the checks were killed (${status})`;
}

function reason(run: CheckRun, { run: before, missing }: Before): string {
  if (missing !== undefined) return missing;
  const blamed = run.failing.length - inBoth(run.failing, before?.failing ?? []).length;
  const outsideTests = before === null ? [] : moreOften(run.outsideTests, before.outsideTests);
  const notes =
    outsideTests.length === 0 ? [] : [`new errors outside the tests: ${outsideTests.slice(0, 5).join("; ")}`];
  if (blamed > 0)
    return [`${blamed} of ${run.failing.length} failing tests did not fail before the change`, ...notes].join("; ");
  if (before?.status === 0) return `exit code ${run.status}; before the change the checks passed`;
  const stopped = run.stopped ?? before?.stopped;
  if (stopped !== undefined) return stopped;
  if (before?.status === run.status && run.failing.length > 0 && notes[0] !== undefined) return notes[0];
  if (run.account === "partial") return "the output does not name all failures, so all of them count as new";
  if (run.failing.length === 0 && run.flaky.length > 0)
    return "different tests fail in each run, so all of them count as new";
  if (before !== null && run.failing.length === 0) {
    const red = `exit code ${run.status}, and ${before.status} before the change`;
    return `${red}; no test names could be read, so this may be another failure`;
  }
  return `exit code ${run.status}, but ${before?.status} before the change, so this is another failure`;
}
