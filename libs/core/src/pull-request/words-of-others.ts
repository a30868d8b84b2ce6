import { oneLine, plainText } from "../text/text.ts";

/** Text from a forge as its author wrote it, but for what nobody could see there, and not without end. */
export function cleaned(text: string, maxChars: number): string {
  // Cut first: nothing below may cost more than the text is allowed to be long.
  const visible = text.slice(0, 4 * maxChars).replace(/<!--[\s\S]*?(?:-->|$)/gu, "");
  return cut(plainText(visible).trim(), maxChars);
}

/** The first line that says something. */
export function headline(text: string, maxChars = 100): string {
  const line = text.split("\n").find((one) => /[\p{L}\p{N}]/u.test(one)) ?? text;
  return cut(oneLine(line), maxChars);
}

export function cut(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // Not through the middle of a character.
  return `${text.slice(0, maxChars - 1).replace(/[\ud800-\udbff]$/u, "")}…`;
}

/** A name as one word. */
export function nameText(name: string): string {
  return cut(oneLine(name).replace(/\s+/gu, "-"), 100) || "somebody";
}

/** Agents write these texts: they shall not call people, close issues or load images. */
export function defused(text: string): string {
  // A space without width, in code too: what is code and what is not can be disguised.
  return text.replace(/[@#!](?=[A-Za-z0-9_[])|\bGH(?=-\d)/giu, "$&\u200b");
}
