import { createHash } from "node:crypto";
import type { NamedProgram } from "@anneal/types";
import type { NamedFile } from "./files-named.ts";

/** A program as a person agrees to it. Its location is shown, but is no part of what is agreed to. */
export function namedProgram(
  { use, place, command }: Pick<NamedProgram, "use" | "place" | "command">,
  files: readonly NamedFile[],
): NamedProgram {
  const hash = createHash("sha256").update(JSON.stringify([use, command]));
  for (const { path, content } of files) {
    const bytes = Buffer.from(content);
    hash.update(JSON.stringify([path, bytes.length])).update(bytes);
  }
  return { use, place, command, files: files.map(({ path }) => path), hash: hash.digest("hex") };
}

/** How a program is shown in one line, with the beginning of its hash. */
export function programText({ use, place, command, hash }: NamedProgram): string {
  const line = command.replace(/\s+/g, " ");
  const shown = line.length > MOST_SHOWN ? `${line.slice(0, MOST_SHOWN)}…` : line;
  return `${use} \`${shown}\` (${place}, ${shortHash(hash)})`;
}

const MOST_SHOWN = 200;

export function shortHash(hash: string): string {
  return hash.slice(0, SHORT);
}

/** As much of a hash as a person names. */
export const SHORT = 12;
