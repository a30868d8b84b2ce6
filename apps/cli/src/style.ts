import { styleText } from "node:util";

type Look = Parameters<typeof styleText>[0];
export type Paint = (look: Look, text: string) => string;

/** Colours for a stream, if it is a terminal that wants them. */
export function painter(stream: NodeJS.WriteStream): Paint {
  return (look, text) => (wantsColour(stream) ? styleText(look, text, { validateStream: false }) : text);
}

function wantsColour(stream: NodeJS.WriteStream): boolean {
  if (process.env.NO_COLOR) return false;
  if (process.env.FORCE_COLOR && process.env.FORCE_COLOR !== "0") return true;
  return stream.isTTY === true && process.env.TERM !== "dumb";
}

const CONTROL = /(?![\n\t])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** Text from outside, made harmless for a terminal: no escape codes, no direction tricks. */
export function harmless(text: string): string {
  return text.replace(CONTROL, "\ufffd");
}

/** The same for names and titles: a line break in one must not look like a line of ours. */
export function harmlessLine(text: string): string {
  return harmless(text).replace(/[\n\t]/g, "\ufffd");
}

/** Text in lines of a width, broken between words; a word that is longer stays whole. */
export function folded(text: string, width: number): string[] {
  const lines: string[] = [""];
  for (const word of text.split(" ")) {
    const last = lines.at(-1) ?? "";
    if (last !== "" && last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = last === "" ? word : `${last} ${word}`;
  }
  return lines;
}
