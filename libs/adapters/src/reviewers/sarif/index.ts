import { readFile, stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { ChangedFile, Coverage } from "@anneal/types";
import type { Change, ReviewAnswer, Reviewer } from "../../ports.ts";
import { textFiles } from "../change-files.ts";
import { changedLines } from "./changed-lines.ts";
import { type FileFinder, fileFinder } from "./file-finder.ts";
import { readSarif, type SarifRun } from "./log.ts";
import { reportOf } from "./report.ts";
import { SarifError } from "./sarif-error.ts";

export { SarifError } from "./sarif-error.ts";

const LARGEST_BYTES = 64 * 1024 * 1024;

/**
 * A reviewer that takes what another tool found, from a SARIF 2.1.0 file that is read anew for each review.
 * Results on changed lines are findings; what was there before is noted, and blocks nothing.
 */
export function sarifReviewer(file: string, { cwd = process.cwd() }: { cwd?: string } = {}): Reviewer {
  const path = resolve(cwd, file);
  return {
    name: "sarif",
    requirements: "not-judged",
    async review(change): Promise<ReviewAnswer> {
      const { files, coverage } = await textFiles(change);
      try {
        const unread = coverage.skipped.map((one) => one.file);
        refuseOwnWord(path, [...coverage.reviewed, ...unread]);
        const runs = readSarif(await contentOf(path));
        refuseOtherCommit(runs, change);
        const find = await finderFor(change, [...coverage.reviewed, ...unread]);
        const ends = await lastLines(change, files, namedFiles(runs, find));
        const report = reportOf(runs, { lines: changedLines(files, unread), ends, find });
        return { report, usage: {}, coverage: covered(runs, coverage, find) };
      } catch (error) {
        if (!(error instanceof SarifError)) throw error;
        const reason = `${file} cannot be used: ${error.message}`;
        const unseen = { reviewed: [], skipped: coverage.skipped };
        return { report: { status: "inconclusive", reason }, usage: {}, coverage: unseen };
      }
    },
  };
}

/** Refuses a file that cannot be used, before anything starts. */
export async function checkSarif(file: string, { cwd = process.cwd() }: { cwd?: string } = {}): Promise<void> {
  readSarif(await contentOf(resolve(cwd, file)));
}

async function contentOf(path: string): Promise<string> {
  try {
    if ((await stat(path)).size > LARGEST_BYTES) throw new SarifError("it is larger than 64 MB");
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(path));
  } catch (error) {
    if (error instanceof SarifError) throw error;
    if (error instanceof TypeError) throw new SarifError("it is not UTF-8 text");
    const { code } = error as { code?: string };
    throw new SarifError(code === "ENOENT" ? "no such file" : `it cannot be read (${code ?? "unknown failure"})`);
  }
}

// A change that brings its own log along would be judging itself.
function refuseOwnWord(path: string, changed: readonly string[]): void {
  const slashed = path.replaceAll("\\", "/");
  if (changed.some((file) => slashed.endsWith(`/${file}`)))
    throw new SarifError("the change itself contains this file, and a change must not judge itself");
}

function refuseOtherCommit(runs: readonly SarifRun[], { bounds: { head, headKind } }: Change): void {
  for (const { tool, revision } of runs) {
    if (revision === undefined || headKind !== "commit") continue;
    const isSame = head.startsWith(revision.toLowerCase()) && revision.length >= 7;
    if (!isSame)
      throw new SarifError(`${tool} checked commit ${revision.slice(0, 12)}, not ${head.slice(0, 12)}; run it again`);
  }
}

async function finderFor({ whole }: Change, changed: readonly string[]): Promise<FileFinder> {
  const files = (await whole?.files()) ?? changed;
  const here = new Set(files);
  // What is gone at the head cannot be what a tool found something in.
  return fileFinder({ root: whole?.root, files, changed: changed.filter((file) => here.has(file)) });
}

function namedFiles(runs: readonly SarifRun[], find: FileFinder): Set<string> {
  const places = runs.flatMap(({ results }) => results.flatMap((result) => result.places));
  return new Set(places.map(({ path }) => find(path)).flatMap((meant) => (meant.kind === "file" ? [meant.file] : [])));
}

/** How many lines the changed files have at the head that a log speaks of, as far as they can be read. */
async function lastLines(
  { content }: Change,
  files: readonly ChangedFile[],
  named: ReadonlySet<string>,
): Promise<Map<string, number>> {
  const ends = new Map<string, number>();
  for (const { path, newBlob } of files) {
    const text = named.has(path) ? await content(newBlob) : null;
    if (text !== null) ends.set(path, text.split("\n").length - (text.endsWith("\n") ? 1 : 0));
  }
  return ends;
}

/** Where the tools say what they looked at, the rest of the change was not reviewed. */
function covered(runs: readonly SarifRun[], coverage: Coverage, find: FileFinder): Coverage {
  const targets = runs.flatMap((run) => run.targets);
  if (targets.length === 0) return coverage;
  const seen = new Set(targets.map(find).flatMap((meant) => (meant.kind === "file" ? [meant.file] : [])));
  const missed = coverage.reviewed.filter((file) => !seen.has(file));
  return {
    reviewed: coverage.reviewed.filter((file) => seen.has(file)),
    skipped: [...coverage.skipped, ...missed.map((file) => ({ file, reason: "the tool did not check this file" }))],
  };
}
