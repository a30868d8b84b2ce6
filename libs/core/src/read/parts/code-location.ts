import type { AnswerReading } from "../answer/answer.ts";

export interface CodeLocation {
  file?: string;
  line?: number;
  endLine?: number;
}

/** A file with optional lines, as models write it: `a.ts:45`, `a.ts:45-50`, `a.ts, lines 45-50 and 60`, `a.ts#L45-L50`. */
export function readLocation(text: string, reading: AnswerReading): CodeLocation {
  const shown = unwrapped(text);
  if (isNothing(shown)) return {};
  const plain = LOCATION.exec(shown);
  const found = plain === null || /\s/.test(plain[1] ?? "") ? (inWords(shown) ?? plain) : plain;
  const file = reading.pathOf(unwrapped(found?.[1] ?? shown));
  if (found?.[4]) reading.note(`Of the lines in "${shown.slice(0, 80)}" the first is kept.`);
  return {
    ...(file === "" ? {} : { file }),
    ...range(found?.[2] || undefined, found?.[3] || undefined, text, reading),
  };
}

const LOCATION =
  /^(.+?)(?::|#L|(?:,\s*|\s+|\s*\(\s*)(?:at\s+)?(?:lines?|L)\s*:?\s*~?)(\d+)(?::\d+)?(?:\s*(?:[-–—]|to)\s*L?(\d+))?((?:\s*(?:,\s*and\b|,|and\b|&)\s*L?\d+(?:\s*(?:[-–—]|to)\s*L?\d+)?)*(?:,?\s*(?:etc|…|\.{2,3}))?)\s*\)?$/i;

/** A path with words behind it: `a.ts (line ~45 in the diff)`, `a.ts, the function parse`. */
function inWords(shown: string): string[] | null {
  const [, file, words = ""] = /^(\S+\.\w+)(?:,\s+|\s+\()(.*)$/.exec(shown) ?? [];
  if (file === undefined) return null;
  const [, start = "", end = ""] = /\blines?\s~?(\d+)(?:\s*[-–—]\s*(\d+))?/i.exec(words) ?? [];
  return [shown, file, start, end];
}

/** All files of a list, one per line or separated by commas. */
export function readLocations(text: string, reading: AnswerReading): CodeLocation[] {
  const pieces = text
    .split("\n")
    .map((piece) => piece.replace(/^\s*(?:[-*+•]|\d+[.)])\s+/, ""))
    .flatMap((piece) => (isInWords(piece) ? namedIn(piece, reading.note) : listed(piece)));
  return pieces.map((piece) => readLocation(piece, reading)).filter((place) => place.file !== undefined);
}

const PATH_AHEAD = /[`*[]*(?:~?\/|[A-Za-z]:[\\/])?[\w@.\\-]+(?:\/|\.\w)/;
const BETWEEN = new RegExp(`\\s*[,;]\\s+(?=${PATH_AHEAD.source})|\\s+and\\s+(?=${PATH_AHEAD.source})`);

function listed(piece: string): string[] {
  return piece.split(BETWEEN);
}

/** `All 6 test files (unit and e2e):` says how many there are and is the name of none. */
function isInWords(piece: string): boolean {
  return /^\W*(?:all|both|every|each|most|many|multiple|several|various|some|(?:the )?following)\b[^/\\`]*?\b(?:files?|tests?|specs?|suites?|modules?|components?|places|locations)\b\s*(?:\(.*\))?\s*:?\W*$/i.test(
    piece,
  );
}

/** The files that such words name in brackets, if any. */
function namedIn(piece: string, note: (text: string) => void): string[] {
  const names = (/\((.*)\)/.exec(piece)?.[1] ?? "").split(/\s*[,;]\s*|\s+and\s+/).filter((name) => isPath(name));
  if (names.length === 0 && !isNothing(unwrapped(piece))) note(`"${piece.trim().slice(0, 80)}" names no file.`);
  return names;
}

function isPath(text: string): boolean {
  return /^[\w@./\\-]+$/.test(unwrapped(text)) && /\/|\.\w+$/.test(unwrapped(text));
}

/** A line or a range of lines; undefined where the reviewer says that there is none. */
export function readLines(text: string, reading: AnswerReading): CodeLocation {
  const shown = unwrapped(text).replace(/(?<=\d)\s*\([^()]*\)$/, "");
  if (isNothing(shown)) return {};
  const [first = "", ...others] = shown.split(/\s*(?:,|\band\b|&)\s*/);
  const found = /^(?:lines?|L|~)?\s*(\d+)(?:\s*(?:[-–—]|to)\s*L?(\d+))?$/i.exec(first);
  if (found === null || others.some((other) => !/^L?\d+(?:\s*[-–—]\s*L?\d+)?$/i.test(other))) {
    reading.problem(`"Line: ${text.slice(0, 40)}" is not a line number.`);
    return {};
  }
  if (others.length > 0) reading.note(`Of the lines "${shown}" the first is kept.`);
  return range(found[1], found[2], text, reading);
}

/** Lines that cannot be are a problem, but the file is the one that is meant. */
function range(
  start: string | undefined,
  end: string | undefined,
  text: string,
  { problem }: AnswerReading,
): CodeLocation {
  if (start === undefined) return {};
  const line = Number(start);
  const endLine = end === undefined ? line : Number(end);
  if (!Number.isSafeInteger(line) || line < 1) {
    problem(`"${text.slice(0, 60)}" names line ${start}; lines count from 1.`);
    return {};
  }
  if (!Number.isSafeInteger(endLine) || endLine < line) {
    problem(`"${text.slice(0, 60)}" names lines that end before they start.`);
    return { line };
  }
  return { line, ...(end === undefined ? {} : { endLine }) };
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
