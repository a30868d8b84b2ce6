import { join } from "node:path";
import type { ChangeBounds, ChangedFile } from "@anneal/types";
import type { RepoLocation } from "../../run/repo-location.ts";
import { exited, failure, type GitCall, gitBytes, spawnDeafGit } from "../../run/run.ts";
import { BLOB_LIMIT, openBlobs } from "./blobs.ts";
import type { ParsedFile } from "./changed-file.ts";
import { DiffParser } from "./diff-parser.ts";
import { DiffNotes, knownDiff } from "./known-diffs.ts";
import { hasTextless, patchIn, withTexts } from "./shown-patch.ts";
import { type BlobSource, textless, unchanged } from "./textless.ts";

export interface DiffOptions {
  /** Files larger than this on either side are named but not read; 5 MB by default. */
  maxFileBytes?: number;
}

/** Streams the files that differ between two commits or trees, from one git process, or from memory where it was just made. */
export async function* changedFiles(
  location: RepoLocation,
  bounds: Pick<ChangeBounds, "base" | "head">,
  options: DiffOptions = {},
): AsyncGenerator<ChangedFile> {
  const limit = options.maxFileBytes ?? BLOB_LIMIT;
  const known = knownDiff(location, bounds, limit);
  if (known !== null) return yield* known.files;
  const notes = new DiffNotes(location, bounds, limit);
  for await (const file of diffedFiles(location, bounds, limit, notes)) {
    notes.add(file);
    yield file;
  }
  notes.end();
}

async function* diffedFiles(
  location: RepoLocation,
  bounds: Pick<ChangeBounds, "base" | "head">,
  limit: number,
  notes: DiffNotes,
): AsyncGenerator<ChangedFile> {
  const call = diffCall(location, bounds, [...RAW, "-p", "-U3"], limit);
  const child = spawnDeafGit(call);
  const ended = exited(child, call.cwd);
  // Awaited at the end; an early failure must not count as unhandled until then.
  ended.catch(() => {});
  const blobs = openBlobs(location.root, limit);
  const shown = { root: location.root, blobs, limit };
  const parser = new DiffParser();
  try {
    for await (const chunk of child.stdout) {
      notes.output(chunk);
      for (const parsed of parser.push(chunk)) yield await finished(parsed, shown);
    }
    const result = await ended;
    if (result.code !== 0) throw failure(call, result);
    for (const parsed of parser.end()) yield await finished(parsed, shown);
  } finally {
    child.kill();
    blobs.close();
  }
}

/** What differs between two commits or trees as git itself prints it, and the text of files in other encodings; a file over the limit is only named there. */
export async function patchText(
  location: RepoLocation,
  { base, head }: Pick<ChangeBounds, "base" | "head">,
  { maxFileBytes = BLOB_LIMIT }: DiffOptions = {},
): Promise<string> {
  const known = knownDiff(location, { base, head }, maxFileBytes);
  const call = diffCall(location, { base, head }, ["-p", "-U3"], maxFileBytes);
  const text = known?.text ?? patchIn(await gitBytes(call));
  if (!hasTextless(text)) return text;
  const files: ChangedFile[] = [];
  for await (const file of changedFiles(location, { base, head }, { maxFileBytes })) files.push(file);
  return withTexts(text, files);
}

/** For a program to read: names and whole ids before everything else. */
const RAW = ["--raw", "-z", "--no-abbrev"];

export function diffCall(
  location: RepoLocation,
  { base, head }: { base: string; head: string },
  what: string[],
  limit: number,
): GitCall {
  const { args, ...where } = diffGuards(location, limit);
  return { ...where, args: [...args, "diff-tree", "-r", ...what, ...diffTerms(), "--end-of-options", base, head] };
}

/** Run bare, without an index and away from the work tree, so that no .gitattributes of the change can hide its own content. */
export function diffGuards(location: RepoLocation, limit: number): GitCall {
  const args = [
    ...["-c", `core.bigFileThreshold=${limit}`, "-c", "core.attributesFile=/dev/null", "-c", "attr.tree="],
    ...[`--git-dir=${location.gitDir}`, "--bare"],
  ];
  const noIndex = join(location.gitDir, "anneal-no-index");
  return { cwd: location.gitDir, args, env: { GIT_INDEX_FILE: noIndex, GIT_ATTR_NOSYSTEM: "1" } };
}

/** How lines are compared and reported, whatever the settings of the repository say. */
export function diffTerms(): string[] {
  return [
    ...["-M", "-l1000", "--diff-algorithm=myers", "--inter-hunk-context=0", "--src-prefix=a/", "--dst-prefix=b/"],
    ...["--no-ext-diff", "--no-textconv", "--no-color", "--no-relative"],
    ...["--submodule=short", "--ignore-submodules=none"],
  ];
}

async function finished({ file, content }: ParsedFile, source: BlobSource): Promise<ChangedFile> {
  if (file.skipped === "submodule") return file;
  if (file.oldBlob === file.newBlob) return await unchanged(file, source);
  if (content === "text") return file;
  return await textless(file, source);
}
