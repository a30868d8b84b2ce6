import { readFileSync } from "node:fs";
import { mkdir, readFile, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { stage, syncFolder } from "@anneal/system/files/atomic";
import { DamagedFile, FileBusy, MissingFile, systemCode } from "@anneal/system/files/errors";
import { underLock } from "@anneal/system/files/file-lock";
import { errorMessage } from "@anneal/types/unknown";
import { announceWrite, serialiseFile, versionOf } from "../../files/json-file.ts";

/** Work items are written by people; what is larger than this is something else. */
const LARGEST_BYTES = 2_000_000;

export type TextRead = { ok: true; text: string; version: string } | { ok: false; message: string };

export async function readText(path: string): Promise<TextRead> {
  try {
    const found = await stat(path);
    if (!found.isFile()) return { ok: false, message: "it is not a file" };
    if (found.size > LARGEST_BYTES) return { ok: false, message: `it is larger than ${LARGEST_BYTES} bytes` };
    const bytes = await readFile(path);
    return { ok: true, text: decoded(bytes), version: versionOf(bytes) };
  } catch (error) {
    if (error instanceof TypeError) return { ok: false, message: "the bytes are not UTF-8" };
    if (systemCode(error) === "ENOENT" || systemCode(error) === "ENOTDIR") {
      return { ok: false, message: "the file does not exist" };
    }
    return { ok: false, message: errorMessage(error) };
  }
}

export interface UpdateTextOptions {
  /** The lock file, the same for all who write this file. */
  lock: string;
  /** The folder that the path must not leave, links followed. */
  jail: string;
}

/**
 * Applies a change to the freshest text; it may run more than once, each time that somebody else has written meanwhile.
 * One writer at a time over all processes, the whole file in one step; a text that stays the same is not written.
 */
export async function updateText(
  path: string,
  change: (text: string) => string,
  { lock, jail }: UpdateTextOptions,
): Promise<{ changed: boolean; text: string }> {
  // Nothing is awaited before this: changes are made in the order of asking.
  return serialiseFile(path, jail, async (target) => {
    await mkdir(dirname(lock), { recursive: true });
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const bytes = await readFile(target).catch((error: unknown) => {
        throw systemCode(error) === "ENOENT" ? new MissingFile(path) : error;
      });
      const text = checked(path, bytes);
      const next = change(text);
      if (next === text) return { changed: false, text };
      if (await replaceIfSame(target, bytes, next, lock)) return { changed: true, text: next };
    }
    throw new FileBusy(path, "others kept changing it");
  });
}

const MAX_ATTEMPTS = 500;

async function replaceIfSame(target: string, expected: Buffer, next: string, lock: string): Promise<boolean> {
  const staged = await stage(target, next);
  try {
    const written = await underLock(lock, () => {
      if (!expected.equals(readFileSync(target))) return false;
      staged.replace();
      announceWrite(target, versionOf(next));
      return true;
    });
    if (written) syncFolder(dirname(target));
    return written;
  } finally {
    staged.discard();
  }
}

function checked(path: string, bytes: Uint8Array): string {
  try {
    return decoded(bytes);
  } catch {
    throw new DamagedFile(path, { line: 1, column: 1 }, "the bytes are not UTF-8");
  }
}

/** Strict, and with the byte order mark kept: every text can be written back as the bytes that it came from. */
function decoded(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
}
