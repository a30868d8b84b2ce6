import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { asNotWritten, loadSettings, OutsideJail, readJson } from "@anneal/adapters/files";
import { DEFAULT_FORMULA, daysIn, summaryOfDays } from "@anneal/core/analytics";
import { ReviewLoopAnalytics, type TimeSavedFormula } from "@anneal/types";
import type { Tally } from "./tally.ts";

/** Where seed 001 wants it. */
export function analyticsFile(root: string): string {
  return join(root, ".automaker", "analytics", "review-loop.json");
}

/** What was counted when the file was written; null where it is gone or damaged: the log has all of it. */
export async function readTally(root: string): Promise<Tally | null> {
  const read = await readJson(analyticsFile(root), ReviewLoopAnalytics, { jail: root });
  if (!read.ok) return null;
  const { log, seq, days } = read.value;
  return { log, seq, days };
}

export async function writeTally(root: string, { log, seq, days }: Tally): Promise<void> {
  const path = analyticsFile(root);
  const summary = summaryOfDays(daysIn(days), await formulaOf(root));
  const content: ReviewLoopAnalytics = { version: 1, log, seq, summary, days };
  try {
    const folder = folderIn(root, dirname(path));
    const ignore = join(folder, ".gitignore");
    // Whatever is derived does not belong in a commit, this file included.
    if (!existsSync(ignore)) replace(ignore, "*\n");
    replace(join(folder, basename(path)), `${JSON.stringify(content, null, 2)}\n`);
  } catch (error) {
    throw asNotWritten(error, path);
  }
}

/** Makes the last folder only, for a project that is gone is not made anew; links must not lead out of the project. */
function folderIn(root: string, folder: string): string {
  if (!existsSync(folder)) mkdirSync(folder);
  const real = realpathSync(folder);
  if (real.startsWith(realpathSync(root) + sep)) return real;
  throw new OutsideJail(folder, `it leads out of ${root}`);
}

/** In one step for readers, but not safe from a power cut: what is lost then is counted from the log again. */
function replace(path: string, text: string): void {
  const temporary = join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(6).toString("hex")}.tmp`);
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** How the settings want time saved to be estimated, the project's word over the global one. */
export async function formulaOf(root: string): Promise<TimeSavedFormula> {
  const { project, global } = await loadSettings(root);
  const { minutesPerFinding, minutesPerRound } = { ...DEFAULT_FORMULA, ...global.analytics, ...project.analytics };
  return {
    minutesPerFinding: minutesPerFinding ?? DEFAULT_FORMULA.minutesPerFinding,
    minutesPerRound: minutesPerRound ?? DEFAULT_FORMULA.minutesPerRound,
  };
}
