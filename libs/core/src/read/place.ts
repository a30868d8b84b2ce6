import { unreadable } from "./answer.ts";

export interface Place {
  file?: string;
  line?: number;
  endLine?: number;
}

/** A file with optional lines, as models write it: `a.ts:45`, `a.ts:45-50`, `a.ts, lines 45-50`, `a.ts#L45-L50`. */
export function readPlace(text: string, note: (text: string) => void): Place {
  const shown = unwrapped(text);
  if (isNothing(shown)) return {};
  const found =
    /^(.+?)(?::|#L|(?:,\s*|\s+|\s*\(\s*)(?:at\s+)?(?:lines?|L)\s*:?\s*)(\d+)(?::\d+)?(?:\s*(?:[-–—]|to)\s*L?(\d+))?\s*\)?$/i.exec(
      shown,
    );
  const file = relative(unwrapped(found?.[1] ?? shown), note);
  return { ...(file === "" ? {} : { file }), ...range(found?.[2], found?.[3], text) };
}

/** All files of a list, one per line or separated by commas. */
export function readPlaces(text: string, note: (text: string) => void): Place[] {
  const pieces = text
    .split("\n")
    .map((piece) => piece.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, ""))
    .flatMap((piece) =>
      piece.split(/\s*[,;]\s+(?=[`*[]*[\w@./\\-]+(?:\/|\.\w))|\s+and\s+(?=[`*[]*[\w@.-]+(?:\/|\.\w))/),
    );
  return pieces.map((piece) => readPlace(piece, note)).filter((place) => place.file !== undefined);
}

/** A line or a range of lines; undefined where the reviewer says that there is none. */
export function readLines(text: string, note: (text: string) => void): Place {
  const shown = unwrapped(text).replace(/(?<=\d)\s*\([^()]*\)$/, "");
  if (isNothing(shown)) return {};
  const [first = "", ...others] = shown.split(/\s*(?:,|\band\b|&)\s*/);
  const found = /^(?:lines?|L|~)?\s*(\d+)(?:\s*(?:[-–—]|to)\s*L?(\d+))?$/i.exec(first);
  if (found === null || others.some((other) => !/^L?\d+(?:\s*[-–—]\s*L?\d+)?$/i.test(other))) {
    return unreadable(`"Line: ${text.slice(0, 40)}" is not a line number.`);
  }
  if (others.length > 0) note(`Of the lines "${shown}" the first is kept.`);
  return range(found[1], found[2], text);
}

function range(start: string | undefined, end: string | undefined, text: string): Place {
  if (start === undefined) return {};
  const line = Number(start);
  const endLine = end === undefined ? undefined : Number(end);
  if (!Number.isSafeInteger(line) || line < 1)
    unreadable(`"${text.slice(0, 60)}" names line ${start}; lines count from 1.`);
  if (endLine !== undefined && (!Number.isSafeInteger(endLine) || endLine < line)) {
    unreadable(`"${text.slice(0, 60)}" names lines that end before they start.`);
  }
  return { line, ...(endLine === undefined ? {} : { endLine }) };
}

function unwrapped(text: string): string {
  const even = text.trim().replace(/\s+/g, " ");
  const link = /^\[([^\]]+)\]\(([^)]+)\)(.*)$/.exec(even);
  const shown = link === null ? even : `${link[2]}${link[3]}`;
  return shown
    .replace(/[`]|\*\*/g, "")
    .trim()
    .replace(/[.;]$/, "");
}

function isNothing(text: string): boolean {
  return /^(?:-|–|—|n\/?a|none|not applicable|null|multiple|various|several|throughout|all|\(?none\)?)?$/i.test(text);
}

/** Folders that stand at the top of repositories; one of them in an absolute path shows where the repository starts. */
const TOP_FOLDERS =
  /^(?:src|lib|libs|app|apps|packages|test|tests|spec|docs|cmd|internal|pkg|server|client|web|api|scripts|bench)$/;

function relative(path: string, note: (text: string) => void): string {
  const file = path
    .replace(/^file:\/\//, "")
    .replace(/\\/g, "/")
    .replace(/^\.\//, "");
  if (!/^(?:\/|~\/|[A-Za-z]:\/)/.test(file)) return file;
  const worktree = /\/\.?worktrees\/[^/]+\/(.+)$/.exec(file)?.[1];
  if (worktree !== undefined) return worktree;
  const parts = file.split("/");
  const tops = parts.flatMap((part, index) => (TOP_FOLDERS.test(part) && index < parts.length - 1 ? [index] : []));
  const [top] = tops;
  // With two candidates the repository could start at either: then the path stays as it was written.
  if (top !== undefined && tops.length === 1) return parts.slice(top).join("/");
  note(`The absolute path "${file}" could not be made relative to the repository.`);
  return file;
}
