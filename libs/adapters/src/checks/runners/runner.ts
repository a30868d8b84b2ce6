/** What a test runner's output tells about failures. */
export interface Failures {
  names: string[];
  /** `complete`: the runner got to its end and its own count agrees, so no failure can be missing. */
  account: "complete" | "partial";
}

/** Reads the output of one kind of test runner; null where it is not of that kind. */
export type Runner = (lines: string[]) => Failures | null;

/** Agreement of the names with the runner's own count. */
export function counted(names: string[], expected: number): Failures {
  return { names, account: names.length === expected ? "complete" : "partial" };
}

/** The numbers that a pattern's first group finds, added up over all lines. */
export function total(lines: string[], pattern: RegExp): number {
  return lines.reduce((sum, line) => sum + Number(pattern.exec(line)?.[1] ?? 0), 0);
}
