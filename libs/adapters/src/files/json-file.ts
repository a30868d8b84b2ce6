import { hash } from "node:crypto";
import { dirname, join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { stage, syncFolder } from "@anneal/system/files/atomic";
import {
  DamagedFile,
  FileBusy,
  InvalidChange,
  MissingFile,
  systemCode,
  VersionConflict,
} from "@anneal/system/files/errors";
import { underLock } from "@anneal/system/files/file-lock";
import { realTarget } from "@anneal/system/files/jail";
import { lookInto, type RegularFile, readRegularFile } from "@anneal/system/files/regular-file";
import { serialise } from "@anneal/system/files/serialise";
import { describeIssues } from "@anneal/types";
import { patchJson } from "./json-patch.ts";
import { positionOfPath, readJsonText } from "./json-text.ts";

/** What a file has to look like; every zod schema is one. */
export interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: SchemaError };
}
type SchemaError = Parameters<typeof describeIssues>[0];

/** A file's content, and the version to name when changing just this content. */
export interface JsonContent<T> {
  value: T;
  raw: string;
  version: string;
}

export type ReadResult<T> =
  | ({ ok: true } & JsonContent<T>)
  | {
      ok: false;
      reason: "missing" | "damaged" | "unreadable";
      /** One line: the path, where in it, and what is wrong. */
      error: string;
      raw: string;
      cause: Error;
    };

export interface UpdateOptions<T> {
  /** Change only this version; any other is a VersionConflict. */
  ifVersion?: string;
  /** The folder that the path must not leave, links followed. */
  jail?: string;
  /** The lock file, the same for all who write this file; by default `anneal-files.lock` next to it. */
  lock?: string;
  /** What to start from where there is no file; without it that is a MissingFile. */
  whenMissing?: T;
  /** The mode of a new file. */
  mode?: number;
  /** Runs when the new content lies safely next to the file, right before it takes its place: for files that it names. */
  first?: () => Promise<void>;
}

export async function readJson<T>(
  path: string,
  schema: Schema<T>,
  { jail }: { jail?: string } = {},
): Promise<ReadResult<T>> {
  try {
    return interpretJson(path, await readRegularFile(realTarget(path, jail)), schema);
  } catch (error) {
    return unreadable(path, error);
  }
}

/**
 * Applies a change to the freshest content and keeps everything that the change does not touch, to the byte.
 * The change may run more than once: each time that somebody else has written in the meantime. `null` leaves the file.
 *
 * Lossless between processes that use this function: the file is replaced only under the lock, and only while it holds
 * the very bytes that the change was applied to. Other programs do not know the lock: what they save before that last
 * comparison is seen and kept, also when its time and size are the same; only a save within the microseconds between
 * the comparison and the rename is replaced, and one that they computed from older content overwrites ours.
 */
export async function updateJson<T>(
  path: string,
  schema: Schema<T>,
  change: (value: T) => T | null,
  options: UpdateOptions<T> = {},
): Promise<JsonContent<T> & { changed: boolean }> {
  return serialiseFile(path, options.jail, async (target) => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const found = foundOrNull(target);
      const current = currentContent(path, found?.bytes ?? null, schema, options);
      const next = changedContent(path, current, schema, change);
      if (next === null) return { ...current, changed: false };
      const old = found === null ? null : { ...found, version: current.version };
      if (await compareAndReplace(target, old, next, options)) return { ...next, changed: true };
    }
    throw new FileBusy(path, "others kept changing it");
  });
}

/** Work on one file, one at a time within this process and in the order of asking, under whatever name it is reached. */
export function serialiseFile<T>(
  path: string,
  jail: string | undefined,
  act: (target: string) => Promise<T>,
): Promise<T> {
  return serialise(`named ${resolve(path)}`, async () => {
    const target = realTarget(path, jail);
    return serialise(target, () => act(target));
  });
}

/** Losing this often in a row does not happen to processes that make any progress. */
const MAX_ATTEMPTS = 500;

/** Reads bytes that are already here, as `readJson` would. */
export function interpretJson<T>(path: string, bytes: Uint8Array, schema: Schema<T>): ReadResult<T> {
  const json = readJsonText(bytes);
  if (!json.ok) return damaged(new DamagedFile(path, json.position, json.problem), json.text);
  const parsed = schema.safeParse(json.value);
  if (parsed.success) return { ok: true, value: parsed.data, raw: json.text, version: versionOf(bytes) };
  const position = positionOfPath(json.text, parsed.error.issues[0]?.path ?? []);
  return damaged(new DamagedFile(path, position, describeIssues(parsed.error).join("; ")), json.text);
}

/** The failure to read a file, as a result. */
export function unreadable(path: string, error: unknown): Extract<ReadResult<never>, { ok: false }> {
  if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) {
    const cause = new MissingFile(path);
    return { ok: false, reason: "missing", error: cause.message, raw: "", cause };
  }
  const cause = error instanceof Error ? error : new Error(String(error));
  const message = cause.message.includes(path) ? cause.message : `${path}: ${cause.message}`;
  return { ok: false, reason: "unreadable", error: message, raw: "", cause };
}

export function versionOf(bytes: string | Uint8Array): string {
  return hash("sha256", bytes);
}

/** A version of null means that the file is gone. `replaced` is what was there before, where the writer knows. */
type WriteListener = (path: string, version: string | null, replaced: Replaced | null) => void;
interface Replaced {
  bytes: Uint8Array;
  version: string;
}
const listeners = new Set<WriteListener>();

/** Reports every file that this process replaces, at the very moment, so that watchers know their own writes. */
export function onWritten(listener: WriteListener): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** For those who put files in place or away by other means; to be called in the same turn as that. */
export function announceWrite(path: string, version: string | null, replaced: Replaced | null = null): void {
  for (const listener of listeners) listener(path, version, replaced);
}

function damaged(cause: DamagedFile, raw: string): Extract<ReadResult<never>, { ok: false }> {
  return { ok: false, reason: "damaged", error: cause.message, raw, cause };
}

function currentContent<T>(
  path: string,
  bytes: Buffer | null,
  schema: Schema<T>,
  { ifVersion, whenMissing }: UpdateOptions<T>,
): JsonContent<T> {
  if (bytes === null) {
    if (ifVersion !== undefined) throw new VersionConflict(path, null);
    if (whenMissing === undefined) throw new MissingFile(path);
    return { value: whenMissing, raw: "", version: versionOf("") };
  }
  const read = interpretJson(path, bytes, schema);
  const version = read.ok ? read.version : versionOf(bytes);
  if (ifVersion !== undefined && ifVersion !== version) throw new VersionConflict(path, version);
  if (!read.ok) throw read.cause;
  return { value: read.value, raw: read.raw, version };
}

function changedContent<T>(
  path: string,
  current: JsonContent<T>,
  schema: Schema<T>,
  change: (value: T) => T | null,
): JsonContent<T> | null {
  // The change gets a copy: if it edits in place, there still is something to compare with.
  const after = change(structuredClone(current.value));
  if (after === null || (current.raw !== "" && isDeepStrictEqual(after, current.value))) return null;
  const raw = current.raw === "" ? `${JSON.stringify(after, null, 2)}\n` : patchJson(current.raw, current.value, after);
  if (raw === current.raw) return null;
  const bytes = Buffer.from(raw);
  // What is about to be written is read first, so that no change can damage a file.
  const json = readJsonText(bytes);
  const parsed = json.ok ? schema.safeParse(json.value) : null;
  if (parsed?.success) return { value: parsed.data, raw, version: versionOf(bytes) };
  throw new InvalidChange(path, parsed ? describeIssues(parsed.error) : ["the result would not be JSON"]);
}

async function compareAndReplace<T>(
  target: string,
  old: (RegularFile & Replaced) | null,
  next: JsonContent<T>,
  { lock = join(dirname(target), "anneal-files.lock"), mode, first }: UpdateOptions<T>,
): Promise<boolean> {
  const staged = await stage(target, next.raw, { mode, old: old?.stat ?? null });
  let written = false;
  try {
    await first?.();
    written = await underLock(lock, () => {
      if (!sameBytes(foundOrNull(target), old)) return false;
      if (old === null && !staged.createOnly()) return false;
      if (old !== null) staged.replace();
      announceWrite(target, next.version, old);
      return true;
    });
  } finally {
    if (!written) staged.discard();
  }
  if (written) syncFolder(dirname(target));
  return written;
}

function sameBytes(a: RegularFile | null, b: RegularFile | null): boolean {
  return a === null || b === null ? a === b : a.bytes.equals(b.bytes);
}

function foundOrNull(path: string): RegularFile | null {
  try {
    return lookInto(path);
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}
