import type { ChangedFile } from "@anneal/types";
import type { Place } from "./log.ts";

/** For each file of the change, the lines on its new side that are new or stand beside something that is gone. */
export type ChangedLines = ReadonlyMap<string, ReadonlySet<number>>;

export function changedLines(files: readonly ChangedFile[]): ChangedLines {
  return new Map(files.map(({ path, hunks }) => [path, new Set(hunks.flatMap(linesOf))]));
}

function linesOf({ newStart, newLines, lines }: ChangedFile["hunks"][number]): number[] {
  const found: number[] = [];
  // A hunk without new lines names the line before it.
  let at = newLines === 0 ? newStart + 1 : newStart;
  let gone = false;
  const close = () => {
    if (gone) found.push(at - 1, at);
    gone = false;
  };
  for (const line of lines) {
    if (line.startsWith("-")) gone = true;
    // New lines stand for the old ones that they replace.
    else if (line.startsWith("+")) {
      gone = false;
      found.push(at++);
    } else if (line.startsWith(" ")) {
      close();
      at += 1;
    }
  }
  close();
  return found;
}

/** The place of a result that the change touches; undefined where it has none at all. */
export function placedIn(places: readonly Place[], lines: ChangedLines): Place | "elsewhere" | undefined {
  // Nobody can say that a result about the whole was there before.
  if (places.length === 0) return undefined;
  for (const place of places) {
    const file = fileMeant(place.file, lines);
    if (file !== undefined && touches(place, lines.get(file) ?? new Set())) return { ...place, file };
  }
  return "elsewhere";
}

/** The tool's path, or the longest path of the change that it ends with. */
function fileMeant(path: string, lines: ChangedLines): string | undefined {
  const slashed = path.replaceAll("\\", "/");
  if (lines.has(slashed)) return slashed;
  const isAbsolute = slashed.startsWith("/") || /^[A-Za-z]:\//.test(slashed);
  const ends = isAbsolute ? [...lines.keys()].filter((file) => slashed.endsWith(`/${file}`)) : [];
  return ends.toSorted((a, b) => b.length - a.length)[0];
}

function touches({ line, endLine = line }: Place, changed: ReadonlySet<number>): boolean {
  if (line === undefined || endLine === undefined) return true;
  for (const one of changed) if (one >= line && one <= endLine) return true;
  return false;
}
