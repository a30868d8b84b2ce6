import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  utimesSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "@anneal/adapters";
import { failpoint } from "@anneal/system/failpoint";
import { renameDurably, syncFile, syncFolder, writeDurably } from "./durable-file.ts";
import { type GitFolder, logFolderOf, makeFolder, TEMPORARY } from "./log-folder.ts";
import { asStoreError } from "./store-error.ts";

const HASH = /^[0-9a-f]{64}$/;

/** A blob is not there, or is not what its hash says. */
export class BlobError extends Error {
  override readonly name = "BlobError";
  readonly kind: "missing" | "damaged" | "not-a-hash";

  constructor(kind: BlobError["kind"], message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.kind = kind;
  }
}

export interface Swept {
  removed: number;
  bytes: number;
}

/** Diffs, transcripts and other bulk, named by what they contain, so that events need to hold only hashes. */
export interface BlobStore {
  /** The hash, once the content is on disk. */
  put(content: string | Uint8Array): string;
  /** Takes over a whole file whose hash is known already; it is moved. */
  adopt(file: string, known: { hash: string; size: number }): string;
  get(hash: string): Buffer;
  getText(hash: string): string;
  /** A part of a large blob. Only whole reads are checked against the hash. */
  getRange(hash: string, offset: number, length: number): Buffer;
  /** In bytes; null where there is no such blob. */
  size(hash: string): number | null;
  /** Removes what is neither kept nor young. Only the owner may call this. */
  sweep(keep: ReadonlySet<string>, olderThanMs: number): Swept;
}

export function openBlobs(repo: GitFolder, { clock }: { clock: Pick<Clock, "now"> }): BlobStore {
  const location = logFolderOf(repo);
  const pathOf = (hash: string): string => {
    if (!HASH.test(hash)) throw new BlobError("not-a-hash", `${JSON.stringify(hash)} is not the hash of a blob.`);
    return join(location.blobs, hash.slice(0, 2), hash.slice(2));
  };
  const get = (hash: string): Buffer => {
    const content = readOr(hash, () => readFileSync(pathOf(hash)));
    if (hashOf(content) === hash) return content;
    throw new BlobError(
      "damaged",
      `The recorded content ${hash} in .git/anneal is damaged: it does not match its hash. The file was not changed.`,
    );
  };
  return {
    put: (content) => {
      const bytes = typeof content === "string" ? Buffer.from(content) : content;
      const hash = hashOf(bytes);
      const path = pathOf(hash);
      try {
        if (isThere(path, bytes.length)) touch(path, clock.now());
        else store(path, bytes);
      } catch (error) {
        throw asStoreError(error, path);
      }
      return hash;
    },
    adopt: (file, { hash, size }) => {
      const path = pathOf(hash);
      try {
        if (isThere(path, size)) {
          touch(path, clock.now());
          rmSync(file, { force: true });
        } else {
          makeShelf(dirname(path));
          touch(file, clock.now());
          syncFile(file);
          renameDurably(file, path, "blob");
        }
      } catch (error) {
        throw asStoreError(error, path);
      }
      return hash;
    },
    get,
    getText: (hash) => get(hash).toString("utf8"),
    getRange: (hash, offset, length) => readOr(hash, () => readPart(pathOf(hash), offset, length)),
    size: (hash) => statSync(pathOf(hash), { throwIfNoEntry: false })?.size ?? null,
    sweep: (keep, olderThanMs) => sweep(location.blobs, keep, clock.now() - olderThanMs),
  };

  function store(path: string, bytes: Uint8Array): void {
    makeShelf(dirname(path));
    writeDurably(path, bytes, { area: "blob", modifiedAt: clock.now() });
  }

  function makeShelf(shelf: string): void {
    if (existsSync(shelf)) return;
    makeFolder(location);
    mkdirSync(shelf, { recursive: true });
    syncFolder(location.folder);
    syncFolder(location.blobs);
  }
}

function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function isThere(path: string, size: number): boolean {
  return statSync(path, { throwIfNoEntry: false })?.size === size;
}

/** Makes an old blob young again: an event is about to name it, and no sweep may come in between. */
function touch(path: string, now: number): void {
  utimesSync(path, now / 1000, now / 1000);
}

function readOr<T>(hash: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const gone = error instanceof Error && "code" in error && error.code === "ENOENT";
    throw gone ? new BlobError("missing", `The recorded content ${hash} is missing in .git/anneal.`, error) : error;
  }
}

function readPart(path: string, offset: number, length: number): Buffer {
  const fd = openSync(path, "r");
  try {
    const wanted = Math.max(0, Math.min(length, fstatSync(fd).size - offset));
    const part = Buffer.alloc(wanted);
    let filled = 0;
    for (let read = -1; filled < wanted && read !== 0; filled += read) {
      read = readSync(fd, part, filled, wanted - filled, offset + filled);
    }
    return part.subarray(0, filled);
  } finally {
    closeSync(fd);
  }
}

function sweep(root: string, keep: ReadonlySet<string>, before: number): Swept {
  const swept = { removed: 0, bytes: 0 };
  for (const path of unneeded(root, keep, before)) {
    const { size } = statSync(path);
    failpoint("blob.remove.before");
    rmSync(path, { force: true });
    failpoint("blob.remove.after");
    swept.removed += 1;
    swept.bytes += size;
  }
  return swept;
}

function unneeded(root: string, keep: ReadonlySet<string>, before: number): string[] {
  return filesIn(root).filter((path) => isOurs(path) && !keep.has(nameOf(path)) && statSync(path).mtimeMs <= before);
}

function filesIn(root: string): string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function isOurs(path: string): boolean {
  return path.endsWith(TEMPORARY) || HASH.test(nameOf(path));
}

function nameOf(path: string): string {
  return path.slice(-65).replace(/[\\/]/, "");
}
