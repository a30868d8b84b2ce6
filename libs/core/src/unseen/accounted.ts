import type { ChangedFile, Coverage, Excuse } from "@anneal/types";
import { hiddenBehindLink, isLink } from "./links.ts";
import { isFittingLock, isLockFile } from "./lock-file.ts";
import { fitsPattern } from "./path-pattern.ts";
import { notShown } from "./shown.ts";

export interface Accounting {
  files: readonly ChangedFile[];
  /** The paths of all files at the head; asked for only where something leads to one. */
  atHead(): Promise<readonly string[]>;
  /** The text of a blob; asked for only of lock files that were not read, and of what they are made from. */
  content(blob: string): Promise<string | null>;
  /** Patterns of paths that a person does not want reviewed, asked for only where a file would hold the change. */
  waived(): Promise<readonly string[]>;
}

/** As much of a file as its accounting needs: all of a large change at once would not fit into memory. */
export function outlineOf(file: ChangedFile): ChangedFile {
  if (isLink(file)) return file;
  const [first] = file.hunks;
  const lines = first?.lines.filter((line) => !line.startsWith("-")).slice(0, 1) ?? [];
  return { ...file, hunks: first === undefined ? [] : [{ ...first, lines }] };
}

/** What a reviewer says that it saw, without what nobody can have seen; and of each file that was not seen, whether it holds nothing and why. */
export async function accounted({ reviewed, skipped }: Coverage, accounting: Accounting): Promise<Coverage> {
  const { files } = accounting;
  const byPath = new Map(files.map((file) => [file.path, file]));
  const leads = files.some(isLink) || skipped.some(({ file }) => isLockFile(file));
  const holds = holdingOf(leads ? await accounting.atHead() : []);
  const unseen = new Map<string, string>();
  for (const path of reviewed) {
    const file = byPath.get(path);
    const reason = file && (hiddenBehindLink(file, holds) ?? notShown(file));
    if (reason !== undefined) unseen.set(path, reason);
  }
  const all = [...skipped, ...[...unseen].map(([file, reason]) => ({ file, reason }))];
  const surroundings = { changed: byPath, holds, content: accounting.content };
  const entries: Skipped[] = [];
  for (const entry of all) entries.push(withExcuse(entry, await excuseOf(entry, byPath.get(entry.file), surroundings)));
  const waived = entries.every(({ excused }) => excused !== undefined) ? [] : await accounting.waived();
  const told = entries.map((entry) => (entry.excused === undefined ? unlessWaived(entry, waived) : entry));
  return {
    reviewed: reviewed.filter((path) => !unseen.has(path)),
    skipped: told.sort((a, b) => rankOf(a) - rankOf(b)),
  };
}

/** What holds the change comes first and what somebody waived next: outputs may show only the first few. */
function rankOf({ excused }: Skipped): number {
  return excused === undefined ? 0 : excused === "waived" ? 1 : 2;
}

type Skipped = Coverage["skipped"][number];

async function excuseOf(
  { excused }: Skipped,
  file: ChangedFile | undefined,
  surroundings: Parameters<typeof isFittingLock>[1],
): Promise<Excuse | undefined> {
  if (excused !== undefined) return excused;
  if (file === undefined) return undefined;
  // Nothing of it is left that somebody could run.
  if (file.status === "deleted") return "deleted";
  if (file.asset === true) return "asset";
  return (await isFittingLock(file, surroundings)) ? "lock file" : undefined;
}

const SAID: Partial<Record<Excuse, string>> = {
  asset: "an image, a font or media",
  "lock file": "it fits its manifest",
  deleted: "it is gone",
};

/** In words as well: a reason is what every output tells. */
function withExcuse({ file, reason }: Skipped, excused: Excuse | undefined): Skipped {
  const said = excused === undefined ? undefined : SAID[excused];
  return {
    file,
    reason: said === undefined ? reason : `${reason}; ${said}`,
    ...(excused === undefined ? {} : { excused }),
  };
}

function unlessWaived(entry: Skipped, patterns: readonly string[]): Skipped {
  const pattern = patterns.find((one) => fitsPattern(entry.file, one));
  if (pattern === undefined) return entry;
  return { ...entry, reason: `${entry.reason}; waived by ${JSON.stringify(pattern)}`, excused: "waived" };
}

function holdingOf(paths: readonly string[]): (path: string) => boolean {
  const all = new Set([...paths, ...paths.flatMap(foldersOf)]);
  return (path) => path === "" || all.has(path);
}

function foldersOf(path: string): string[] {
  const names = path.split("/").slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join("/"));
}
