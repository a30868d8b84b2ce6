/** All that is known of the output of one kind of test runner. */
export interface Runner {
  /** The failing tests; null where the output is not of this kind. */
  failing(lines: string[]): Failures | null;
  /** More than one where it tells in several ways what it ran. */
  totals: Totals | Totals[];
  block: Block;
  /** What it says once at the end of a red run; `^` is the start of a line. A red workspace without it leaves the account partial. */
  red?: RegExp;
  /** Brings names and results that are printed apart into one line, before totals are read. */
  joined?(lines: string[]): string[];
}

export interface Failures {
  names: string[];
  /** `complete`: the runner got to its end and its own count agrees, so no failure can be missing. */
  account: "complete" | "partial";
  /** Where it stopped before its end: that, and what to do about it. The account is partial then. */
  stopped?: string;
}

/** How a runner tells what it ran. Each pattern's first group is the number, or the name. */
export interface Totals {
  /** Lines with counts. */
  counts?: RegExp;
  ran?: RegExp;
  skipped?: RegExp;
  /** The number that ran holds what was skipped. */
  ranHoldsSkipped?: true;
  /** Lines about something that is counted as run, and is no test of its own. */
  notRun?: RegExp;
  /** Lines with the number of tests that were found, what is skipped included, where each run has one; no more can have run. */
  found?: RegExp;
  /** Lines about single tests, where it lists them all; without counts, these are counted. */
  passes?: RegExp;
  fails?: RegExp;
  skips?: RegExp;
  /** The line below one of these says again what was said before. */
  repeats?: RegExp;
  /** Nothing is read from an output that has none of these. */
  only?: RegExp;
  /** Nothing is read from an output that has any of these. */
  unless?: RegExp;
}

/** Where a runner's output begins and ends. One without a beginning has all that was printed before its end. */
export interface Block {
  begins?: RegExp;
  ends: RegExp;
  /** Lines that belong to it still, directly after its end. */
  after?: RegExp;
}

/** Agreement of the names with the runner's own count. */
export function counted(names: string[], expected: number): Failures {
  return { names, account: names.length === expected ? "complete" : "partial" };
}

/** Nothing is known of the tests that a runner did not get to. */
export function stoppedEarly({ names }: Failures, what: string, advice: string): Failures {
  return { names, account: "partial", stopped: `${what}, so other failures stay unknown: ${advice}` };
}

export const WITHOUT_BAIL = "remove --bail from the test command, or bail from the runner's settings";

/** The numbers that a pattern's first group finds, added up over all lines. */
export function total(lines: string[], pattern: RegExp): number {
  return lines.reduce((sum, line) => sum + Number(pattern.exec(line)?.[1] ?? 0), 0);
}

/** TAP may say the time that a test took behind its name. */
export function withoutTime(name: string): string {
  return name.replace(/ # time=.*$/, "");
}
