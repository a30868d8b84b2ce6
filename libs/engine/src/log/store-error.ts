const ADVICE = {
  "disk-full": "Free some space on this disk, then try again: nothing that was recorded is lost.",
  io: "Check the disk and its mount, then try again: nothing that was recorded is lost.",
  damaged:
    "The file is left as it is. Move it away with its -wal and -shm and put a backup (log.db.backup-…) in its place, or start over without it.",
  busy: "Another process is writing; try again in a moment.",
  "read-only": "Make the file and its folder writable for this user.",
  "cannot-open": "Check that the git folder exists and that this user may write to it.",
  missing: "Nothing has run in this project yet: start a loop first.",
  newer: "Use the newer Anneal that wrote it.",
  foreign: "Move the file away: Anneal only opens its own databases.",
  earlier: "Finish its loops with the Anneal that wrote it, or remove the file; then run this again.",
  outdated: "Open it once for writing, for instance with `anneal run`, to bring it up to date.",
  moved:
    "The log was moved or replaced while Anneal had it open. Stop Anneal, put the log back where it was, then start again.",
  taken: "The message is already in the log; there is nothing to do.",
  closed: "Open the store again.",
} as const;

export type StoreErrorKind = keyof typeof ADVICE;

/** The log could not be read or written. Nothing was half done; the kind says what happened and the advice what helps. */
export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly kind: StoreErrorKind;
  readonly advice: string;

  constructor(kind: StoreErrorKind, what: string, cause?: unknown) {
    super(`${what} ${ADVICE[kind]}`, cause === undefined ? undefined : { cause });
    this.kind = kind;
    this.advice = ADVICE[kind];
  }
}

/** Gives a failure of SQLite or of the file system its name; what is neither stays what it was. */
export function asStoreError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof StoreError) return error;
  const kind = kindOf(error);
  return kind === null ? error : new StoreError(kind, `${WHAT[kind]} ${file} (${error.message}).`, error);
}

const WHAT = {
  "disk-full": "The disk is full: could not write",
  io: "The disk failed while reading or writing",
  damaged: "This is not a readable database:",
  busy: "Another process blocked this database for too long:",
  "read-only": "No permission to write",
  "cannot-open": "Could not open",
  closed: "Already closed:",
} as const;

// Primary result codes of SQLite; the upper bytes of an error code only say where it happened.
const BY_RESULT_CODE: Record<number, keyof typeof WHAT> = {
  3: "read-only",
  5: "busy",
  6: "busy",
  8: "read-only",
  10: "io",
  11: "damaged",
  13: "disk-full",
  14: "cannot-open",
  26: "damaged",
};

const BY_ERRNO: Record<string, keyof typeof WHAT> = {
  ENOSPC: "disk-full",
  EDQUOT: "disk-full",
  EIO: "io",
  EFBIG: "io",
  EROFS: "read-only",
  EACCES: "read-only",
  EPERM: "read-only",
  ENOENT: "cannot-open",
  ENOTDIR: "cannot-open",
};

function kindOf(error: Error): keyof typeof WHAT | null {
  if ("errcode" in error && typeof error.errcode === "number") return BY_RESULT_CODE[error.errcode & 0xff] ?? null;
  if (!("code" in error) || typeof error.code !== "string") return null;
  if (error.code === "ERR_INVALID_STATE" && error.message.includes("not open")) return "closed";
  return BY_ERRNO[error.code] ?? null;
}
