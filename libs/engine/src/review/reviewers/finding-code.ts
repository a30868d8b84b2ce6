import type { Finding } from "@anneal/types";
import type { Watched } from "../watched.ts";

/** The file of a finding as it is at the head; null where there is none. */
export async function textOf({ file }: Finding, change: Watched): Promise<string | null> {
  const blob = file === undefined ? undefined : change.blobOf(file);
  return blob === undefined ? null : await change.content(blob);
}

const LINES_AROUND = 30;
const MOST_CHARACTERS = 8_000;

/** The lines around a finding, with their numbers. */
export function codeAround({ line, endLine }: Finding, text: string | null): string | null {
  if (text === null || line === undefined) return null;
  const first = Math.max(1, line - LINES_AROUND);
  const shown = text.split("\n").slice(first - 1, Math.min(endLine ?? line, line + LINES_AROUND) + LINES_AROUND);
  const code = shown.map((one, index) => `${first + index}: ${one}`).join("\n");
  return code.length <= MOST_CHARACTERS ? code : `${code.slice(0, MOST_CHARACTERS)}\n(more in the file)`;
}
