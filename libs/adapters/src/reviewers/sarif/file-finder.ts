import type { PathReading, SarifPath } from "./uri.ts";

export type Meant = { kind: "file"; file: string } | { kind: "unchanged" } | { kind: "several" } | { kind: "none" };

/** Finds the file of the repository that a tool's path means. */
export type FileFinder = (given: SarifPath) => Meant;

interface Repository {
  /** The top of the work tree, where it is known. */
  root: string | undefined;
  /** All files at the head. */
  files: readonly string[];
  /** Those that the change touches. */
  changed: readonly string[];
}

/**
 * A path from the top of the repository is that file. A tool that was somewhere else writes more or fewer folders in front,
 * and some file systems another case: then it means the one changed file that ends alike, wherever that can be said.
 */
export function fileFinder({ root, files, changed }: Repository): FileFinder {
  const here = new Set(files);
  const top = root?.split(/[/\\]+/).filter(Boolean) ?? [];
  let endings: { all: Endings; changed: Endings } | undefined;
  const known = new Map<string, Meant>();

  const exactly = ({ parts, from }: PathReading): string | undefined => {
    const below = from === "here" ? parts : top.every((part, at) => parts[at] === part) && parts.slice(top.length);
    const path = below === false || (from === "outside" && top.length === 0) ? "" : below.join("/");
    return here.has(path) ? path : undefined;
  };
  const alike = ({ parts }: PathReading): Meant => {
    endings ??= { all: endingsOf(files), changed: endingsOf(changed) };
    const { all, changed: touched } = endings;
    for (let skipped = 0; skipped < parts.length; skipped++) {
      const ending = keyOf(parts.slice(skipped));
      // Fewer parts than were written only count where they are a whole path of ours.
      if (skipped === 0 ? !all.some(ending) : !all.has(ending)) continue;
      const [one, ...more] = touched.first(ending, 2);
      if (one === undefined) return { kind: "unchanged" };
      return more.length > 0 ? { kind: "several" } : { kind: "file", file: one };
    }
    return { kind: "none" };
  };
  const find = ({ readings }: SarifPath): Meant => {
    const exact = readings.map(exactly).find((file) => file !== undefined);
    if (exact !== undefined) return { kind: "file", file: exact };
    return readings.map(alike).find(({ kind }) => kind !== "none") ?? { kind: "none" };
  };
  return (given) => {
    const meant = known.get(given.written) ?? find(given);
    known.set(given.written, meant);
    return meant;
  };
}

interface Endings {
  has(key: string): boolean;
  some(key: string): boolean;
  first(key: string, count: number): string[];
}

/** Paths by their ends: sorted from the last part to the first, those that end alike stand together. */
function endingsOf(files: readonly string[]): Endings {
  const sorted = files
    .map((file) => ({ file, key: keyOf(file.split("/")) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  const from = (key: string): number => {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sorted[middle]?.key ?? "") < key) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const first = (key: string, count: number): string[] => {
    const start = from(key);
    return sorted
      .slice(start, start + count)
      .filter((one) => one.key.startsWith(key))
      .map(({ file }) => file);
  };
  return { has: (key) => sorted[from(key)]?.key === key, some: (key) => first(key, 1).length > 0, first };
}

/** Each part ends with a slash, so that no name counts as the beginning of another. */
function keyOf(parts: readonly string[]): string {
  return parts
    .toReversed()
    .map((part) => `${part.normalize("NFC").toLowerCase()}/`)
    .join("");
}
