/** Where in a text something is, counted from one. */
export interface TextPosition {
  line: number;
  column: number;
}

/** A file that cannot be read as what it should be. It is shown, and never overwritten. */
export class DamagedFile extends Error {
  override readonly name = "DamagedFile";
  readonly path: string;
  readonly position: TextPosition;
  readonly problem: string;

  constructor(path: string, position: TextPosition, problem: string) {
    super(`${path}:${position.line}:${position.column}: ${oneLine(problem)}`);
    this.path = path;
    this.position = position;
    this.problem = problem;
  }
}

export class MissingFile extends Error {
  override readonly name = "MissingFile";
  readonly path: string;

  constructor(path: string) {
    super(`${path} does not exist`);
    this.path = path;
  }
}

/** The file is no longer the version that the caller had read. */
export class VersionConflict extends Error {
  override readonly name = "VersionConflict";
  readonly path: string;
  readonly version: string | null;

  constructor(path: string, version: string | null) {
    super(`${path} has changed since it was read: read it again and repeat the change`);
    this.path = path;
    this.version = version;
  }
}

/** A change whose result would not be valid. Nothing was written. */
export class InvalidChange extends Error {
  override readonly name = "InvalidChange";
  readonly path: string;
  readonly problems: string[];

  constructor(path: string, problems: string[]) {
    super(`${path} was not changed: ${oneLine(problems.join("; "))}`);
    this.path = path;
    this.problems = problems;
  }
}

/** Others kept the file or its lock busy for too long. Nothing was written. */
export class FileBusy extends Error {
  override readonly name = "FileBusy";
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path} was not changed: ${why}`);
    this.path = path;
  }
}

const CAUSES: Record<string, string> = {
  ENOSPC: "the disk is full: free some space on it",
  EDQUOT: "the quota of this user is used up: free some space",
  EFBIG: "it would be larger than the system allows: raise the limit on file sizes",
  EROFS: "the disk is mounted read-only: mount it for writing",
  EIO: "the disk failed: check it and its mount",
};

/** The system could not take the new content. What the file held before is still there. */
export class NotWritten extends Error {
  override readonly name = "NotWritten";
  readonly path: string;
  readonly code: string;

  constructor(path: string, code: string, cause: unknown) {
    super(`${path} was not written, and is as it was before; ${CAUSES[code]}, then try again`, { cause });
    this.path = path;
    this.code = code;
  }
}

/** Gives a failure of the disk its name; any other stays what it was. */
export function asNotWritten(error: unknown, path: string): unknown {
  return diskFailure(error) === undefined ? error : new NotWritten(path, systemCode(error) ?? "", error);
}

/** What failed about the disk and what to do, where that is what failed. */
export function diskFailure(error: unknown): string | undefined {
  const code = systemCode(error);
  return code !== undefined && Object.hasOwn(CAUSES, code) ? CAUSES[code] : undefined;
}

/** A path that leads out of the folder it has to stay in. Nothing was touched. */
export class OutsideJail extends Error {
  override readonly name = "OutsideJail";
  readonly path: string;

  constructor(path: string, why: string) {
    super(`${path} was not touched: ${why}`);
    this.path = path;
  }
}

/** What the system calls this failure, such as ENOENT. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]+/g, " ").trim();
}
