import type { ChangedFile, Hunk } from "@anneal/types";
import { linesOf } from "../content/text-of.ts";
import { broken } from "./changed-file.ts";

const NEXT_FILE = "\ndiff --git ";
const BINARY = "\nBinary files ";

/** Git's patch as text: lines that are not UTF-8 as Latin-1. */
export function patchIn(output: Buffer): string {
  return linesOf(output).text;
}

/** Whether git shows no text of some file. Lines of content begin with a sign of their own, so only git writes this. */
export function hasTextless(patch: string): boolean {
  return patch.includes(BINARY);
}

/** The patch with the text of files that git only names, where they hold some. */
export function withTexts(patch: string, files: readonly ChangedFile[]): string {
  const sections = patch.split(NEXT_FILE);
  const owners = files.flatMap((file) => (file.status === "type-changed" ? [file, file] : [file]));
  if (owners.length !== sections.length) throw broken("its patch does not hold the files that it names");
  return sections.map((section, index) => withText(section, owners[index])).join(NEXT_FILE);
}

function withText(section: string, file: ChangedFile | undefined): string {
  const at = section.indexOf(BINARY);
  if (at < 0 || file?.encoding === undefined || file.hunks.length === 0) return section;
  const rest = section.indexOf("\n", at + 1);
  const { path, oldPath = path, status } = file;
  const names = [
    `--- ${status === "added" ? "/dev/null" : quoted(`a/${oldPath}`)}`,
    `+++ ${status === "deleted" ? "/dev/null" : quoted(`b/${path}`)}`,
  ];
  const text = [...names, ...file.hunks.flatMap(linesOfHunk)].join("\n");
  return `${section.slice(0, at)}\n${text}${rest < 0 ? "" : section.slice(rest)}`;
}

function linesOfHunk({ oldStart, oldLines, newStart, newLines, lines }: Hunk): string[] {
  return [`@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`, ...lines];
}

/** As git writes names: in quotes where they hold what could end the line. */
function quoted(name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not stand in a patch
  if (!/[\u0000-\u001f"\\\u007f]/.test(name)) return name.includes(" ") ? `${name}\t` : name;
  const escaped = name.replace(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the same
    /[\u0000-\u001f"\\\u007f]/g,
    (one) => `\\${/["\\]/.test(one) ? one : one.charCodeAt(0).toString(8).padStart(3, "0")}`,
  );
  return `"${escaped}"`;
}
