import { ForgeError } from "./errors.ts";

/** The kinds of things that we write on a forge. */
export type MarkedKind = "pull-request" | "comment" | "review";

const KEY = /^[A-Za-z0-9][A-Za-z0-9._:/@+-]{0,199}$/;
// Only the very last line counts: what we quote from others stands above it.
const MARKER = /(?:^|\n)<!-- anneal:v1 kind=([a-z-]+) key=([A-Za-z0-9._:/@+-]+) -->\s*$/;

/** Text with a hidden last line by which we find it again. Markers in the text itself are made visible, and so count no more. */
export function marked(kind: MarkedKind, key: string, body: string): string {
  if (!KEY.test(key)) {
    throw new ForgeError("invalid", `"${key}" cannot be a key: use up to 200 letters, digits and . _ : / @ + -`);
  }
  const text = body.replace(/<!--(?=\s*anneal:)/gi, "&lt;!--").trimEnd();
  return `${text}${text === "" ? "" : "\n\n"}<!-- anneal:v1 kind=${kind} key=${key} -->`;
}

/** Our key in a text that our own account wrote, or null. Whose text it is decides the caller: anybody can copy a marker. */
export function keyIn(kind: MarkedKind, body: string): string | null {
  const [, found, key] = MARKER.exec(body) ?? [];
  return found === kind && key !== undefined ? key : null;
}

/** The text as people see it. */
export function unmarked(body: string): string {
  return body.replace(MARKER, "").trimEnd();
}
