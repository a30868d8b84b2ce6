import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { systemCode } from "@anneal/system/files/errors";
import { realTarget } from "@anneal/system/files/jail";
import { errorMessage } from "@anneal/types/unknown";

const MAX_BYTES = 1_000_000;

export type TextFile =
  | { ok: true; text: string }
  | { ok: false; reason: "missing" | "unreadable"; line: number; problem: string };

/** Reads a text that people wrote. It has to lie in the jail, links followed, and be of a size that people write. */
export async function readTextFile(path: string, jail: string): Promise<TextFile> {
  try {
    // Not waiting for a writer: a pipe in the place of the file would be waited for without end.
    const handle = await open(realTarget(path, jail), constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const stats = await handle.stat();
      if (!stats.isFile()) return unreadable("it is not a file");
      if (stats.size > MAX_BYTES) return unreadable(`it is larger than ${MAX_BYTES / 1_000_000} MB`);
      return decoded(await handle.readFile());
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) {
      return { ok: false, reason: "missing", line: 1, problem: "no such file" };
    }
    const message = errorMessage(error);
    return unreadable(message.replace(`${path} was not touched: `, "").replace(/[\r\n]+/g, " "));
  }
}

function decoded(bytes: Uint8Array): TextFile {
  const text = new TextDecoder("utf-8").decode(bytes).replace(/\r\n?/g, "\n");
  const lineOf = (offset: number) => text.slice(0, offset).split("\n").length;
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return unreadable("the bytes are not UTF-8", lineOf(text.indexOf("\uFFFD")));
  }
  const control = /(?![\n\t])\p{Cc}/u.exec(text);
  if (control === null) return { ok: true, text };
  const code = control[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  return unreadable(`it has the control character U+${code}`, lineOf(control.index));
}

function unreadable(problem: string, line = 1): TextFile {
  return { ok: false, reason: "unreadable", line, problem };
}
