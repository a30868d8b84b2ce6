import type { Refused } from "@anneal/engine/project";
import { harmlessLine } from "../style.ts";

// JSON itself lets these through, and a terminal that prints the result would obey them.
const UNSEEN = /[\u007f-\u009f\p{Bidi_Control}]/gu;

/** JSON that is harmless on a terminal. */
export function json(value: unknown, indent = 2): string {
  const escaped = (one: string) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `${JSON.stringify(value, null, indent).replace(UNSEEN, escaped)}\n`;
}

/** A length of time in its two largest units. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}m ${String(seconds % 60).padStart(2, "0")}s`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours}h ${String(minutes % 60).padStart(2, "0")}m`;
  return `${Math.floor(hours / 24)}d ${hours % 24}h`;
}

/** Tells of an item what is not the answer to what was asked. */
export function noteOnStderr(item: string, message: string): void {
  process.stderr.write(`! ${harmlessLine(`${item}: ${message}`)}\n`);
}

/** What a run would refuse, for a dry run. */
export function refusedLines(refused: readonly Refused[]): string[] {
  return refused.map(({ key, why }) => `✘ ${harmlessLine(`${key} would be refused: ${why}`)}`);
}

/** Money, or nothing where none was reported. */
export function money(usd: number): string {
  if (usd === 0) return "";
  return usd < 0.01 ? "<$0.01" : `$${usd.toFixed(2)}`;
}

export function counted(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}

/** The part of a generated id that tells it apart; commands take it as well as the whole. */
export function shortId(id: string): string {
  return /^feature-\d{13}-([a-z0-9]{9})$/.exec(id)?.[1] ?? id;
}

/** Text cut to a width in its middle, for ids: people know them by both ends. */
export function narrowed(text: string, width: number): string {
  if (text.length <= width) return text;
  const end = Math.floor((width - 1) / 2);
  return `${text.slice(0, Math.max(0, width - 1 - end))}…${text.slice(text.length - end)}`;
}

const COLOUR = /(\p{Cc}\[[0-9;]*m)/u;
const WIDE =
  /^(?:[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{20000}-\u{3fffd}])/u;
const graphemes = new Intl.Segmenter();

/** Every line cut to the columns of a terminal: one that goes on in the next row could not be drawn over. */
export function clippedTo(text: string, columns: number): string {
  return text
    .split("\n")
    .map((line) => clippedLine(line, columns))
    .join("\n");
}

function clippedLine(line: string, columns: number): string {
  const pieces = line.split(COLOUR).flatMap((part, at) => (at % 2 === 1 ? [part] : places(part)));
  const width = (piece: string) => (COLOUR.test(piece) ? 0 : WIDE.test(piece) ? 2 : 1);
  const total = pieces.reduce((sum, piece) => sum + width(piece), 0);
  if (total <= columns) return line;
  let room = columns - 1;
  let isCut = false;
  const shown = pieces.flatMap((piece) => {
    if (width(piece) === 0) return [piece];
    room -= width(piece);
    if (room >= 0 || isCut) return isCut ? [] : [piece];
    isCut = true;
    return ["…"];
  });
  return shown.join("");
}

function places(text: string): string[] {
  return [...graphemes.segment(text)].map(({ segment }) => segment);
}

/** Text cut to a width; wide enough is left alone. */
export function fitted(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
