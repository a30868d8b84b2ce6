import { isUtf8 } from "node:buffer";

/** The text that bytes hold, and how it was written where that is not UTF-8. */
export interface ReadText {
  text: string;
  encoding?: string;
}

/** Reads bytes as a person's editor would: UTF-8, UTF-16, Latin-1, also with a NUL in between; null where they are no text that can be told. */
export function textOf(bytes: Buffer): ReadText | null {
  const wide = wideEncoding(bytes);
  if (wide !== null) return decodedAs(bytes, wide);
  const nuls = count(bytes, 0, 1);
  if (nuls === 0)
    return bytes.length === 0 || isUtf8(bytes) ? { text: bytes.toString("utf8") } : narrow(bytes, "Latin-1");
  if (nuls > bytes.length / MOST_NULS) return null;
  return narrow(bytes, "UTF-8 with NUL");
}

/** More than one NUL in so many bytes is data. */
const MOST_NULS = 10;

/** What no text holds: controls besides tab, line ends, form feed, backspace and escape. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: controls are what is looked for
const CONTROL = /[\u0001-\u0007\u000b\u000e-\u001a\u001c-\u001f]/;

function narrow(bytes: Buffer, encoding: string): ReadText | null {
  const { text, ...letters } = linesOf(bytes);
  return isStrange(letters) || CONTROL.test(text) ? null : { text, encoding };
}

type Wide = "utf-16le" | "utf-16be";

function decodedAs(bytes: Buffer, encoding: Wide): ReadText | null {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return CONTROL.test(text) ? null : { text, encoding: encoding.toUpperCase() };
  } catch {
    return null;
  }
}

/** By its mark, or because every other byte of mostly plain letters is zero. */
function wideEncoding(bytes: Buffer): Wide | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes.length < 2 || bytes.length % 2 !== 0) return null;
  const [even, odd] = [count(bytes, 0, 2), count(bytes, 1, 2)];
  const most = bytes.length / 2 / 2;
  if (odd > most && even * MOST_NULS < bytes.length / 2) return "utf-16le";
  return even > most && odd * MOST_NULS < bytes.length / 2 ? "utf-16be" : null;
}

function count(bytes: Buffer, from: number, step: number): number {
  let zeros = 0;
  for (let at = from; at < bytes.length; at += step) if (bytes[at] === 0) zeros += 1;
  return zeros;
}

/** Lines of a text, each as UTF-8 or else as Latin-1, and how many letters the latter have, beyond ASCII and in all. */
export interface ReadLines {
  text: string;
  high: number;
  all: number;
}

export function linesOf(bytes: Buffer): ReadLines {
  let [high, all] = [0, 0];
  if (isUtf8(bytes)) return { text: bytes.toString("utf8"), high, all };
  const lines: string[] = [];
  for (let from = 0; from <= bytes.length; ) {
    const end = bytes.indexOf(NEWLINE, from);
    const line = bytes.subarray(from, end < 0 ? bytes.length : end);
    if (isUtf8(line)) lines.push(line.toString("utf8"));
    else {
      lines.push(LATIN.decode(line));
      for (const byte of line) {
        if (byte >= 0x80) high += 1;
        if (byte > 0x20) all += 1;
      }
    }
    if (end < 0) break;
    from = end + 1;
  }
  return { text: lines.join("\n"), high, all };
}

/** Whether what is not UTF-8 does not read as Latin-1 either: in a Latin script most letters are ASCII. */
export function isStrange({ high, all }: Pick<ReadLines, "high" | "all">): boolean {
  return high * 2.5 > all;
}

const NEWLINE = 10;
const LATIN = new TextDecoder("windows-1252");
