const ESC = String.fromCharCode(0x1b);
const BEL = String.fromCharCode(0x07);

// CSI sequences, then strings such as OSC and DCS up to their terminator, then two-character escapes.
const ESCAPE_SEQUENCE = new RegExp(
  `${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}[\\]PX^_][^${BEL}${ESC}]*(?:${BEL}|${ESC}\\\\)|${ESC}[@-Z\\\\-_]`,
  "gu",
);
const LINE_END = /\r\n?|\u0085|\u2028|\u2029/gu;
const CONTROL = /(?![\n\t])\p{Cc}/gu;
// Direction overrides and invisible marks reorder or hide what a person reads.
const HIDDEN = /[\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/gu;

/** Text that prints as it reads: no escape sequences, control characters or direction overrides; lines end in \n. */
export function plainText(text: string): string {
  return text
    .toWellFormed()
    .replace(LINE_END, "\n")
    .replace(ESCAPE_SEQUENCE, "")
    .replace(CONTROL, "")
    .replace(HIDDEN, "");
}

/** The text as one clean line. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/gu, " ").trim();
}

/** Clean text without blank space around it. */
export function block(text: string): string {
  return plainText(text).trim();
}

/** A path that stays on one line: quoted like a JSON string where it holds something that does not print. */
export function pathText(path: string): string {
  const prints = path.isWellFormed() && path === path.trim() && !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(path);
  if (prints && !path.startsWith('"')) return path;
  return JSON.stringify(path).replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, unicodeEscape);
}

/** The path behind `pathText`, or undefined where the quotes do not hold one. */
export function readPathText(text: string): string | undefined {
  if (!text.startsWith('"')) return text;
  try {
    const path: unknown = JSON.parse(text);
    return typeof path === "string" ? path : undefined;
  } catch {
    return undefined;
  }
}

/** `path:line`, `path`, or nothing. */
export function locationText(at: { file?: string | undefined; line?: number | undefined }): string {
  if (at.file === undefined || at.file === "") return "";
  return at.line === undefined ? pathText(at.file) : `${pathText(at.file)}:${at.line}`;
}

/** A finding's title and description as one text, without saying anything twice. */
export function wholeMessage(finding: { title: string; description: string }): string {
  const title = oneLine(finding.title);
  const description = block(finding.description);
  // A title that was cut from the description ends in an ellipsis.
  if (description.startsWith(title.replace(/…$/u, ""))) return description;
  return description === "" ? title : `${title}: ${description}`;
}

/** `2026-01-09T14:22:00Z`: whole seconds, as the seeds write timestamps. */
export function isoSeconds(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19)}Z`;
}

function unicodeEscape(character: string): string {
  return Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");
}
