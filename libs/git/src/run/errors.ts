export type GitErrorKind =
  | "not-a-repository"
  | "unknown-ref"
  | "no-merge-base"
  | "no-commits"
  | "no-default-branch"
  | "git-missing"
  | "unmerged"
  | "moved"
  | "locked"
  | "worktree-taken"
  | "no-space"
  | "in-the-way"
  | "beyond-reach"
  | "no-remote"
  | "unreachable"
  | "signing"
  | "no-identity"
  | "failed";

/** Where a branch was expected and where it was found; null for a branch that is not there. */
export interface Moved {
  expected: string | null;
  found: string | null;
}

/** What went wrong with git, in one line that also says what to do. */
export class GitError extends Error {
  override readonly name = "GitError";
  readonly kind: GitErrorKind;
  /** The files concerned, where the failure is about files. */
  readonly paths: string[];
  /** The two ids, where a branch moved. */
  readonly moved: Moved | null;

  constructor(kind: GitErrorKind, message: string, options: { cause?: unknown; paths?: string[]; moved?: Moved } = {}) {
    super(oneLine(message), options.cause === undefined ? {} : { cause: options.cause });
    this.kind = kind;
    this.paths = options.paths ?? [];
    this.moved = options.moved ?? null;
  }
}

/** The line of git's own complaint that says most, without its prefix. */
export function complaint(stderr: string): string {
  const [, file, name = ""] =
    /^(?:fatal|error): (.+): (?:smudge|clean) filter '?([^'\n]+?)'? failed$/m.exec(stderr) ?? [];
  if (file !== undefined) return `the filter ${name} failed on ${file}: ${filterAdvice(name)}`;
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line = lines.find((one) => /^(fatal|error): /.test(one)) ?? lines[0] ?? "no explanation";
  return line.replace(/^(fatal|error): /, "");
}

const BESIDE = /cannot lock ref 'refs\/heads\/(.+?)': 'refs\/heads\/(.+?)' exists; cannot create/;

/** What is said of a branch that cannot be made for one that is there. */
export function branchConflictText(wanted: string, other: string): string {
  return `${branchConflictReason(wanted, other)}: rename that one with git branch -m ${other} NEW-NAME`;
}

/** The same without what to do about it. */
export function branchConflictReason(wanted: string, other: string): string {
  return `git cannot have both a branch ${wanted} and a branch ${other}`;
}

/** A branch that keeps another from being made, as one name would be a folder of the other; null where that is not why git failed. */
export function branchInTheWay(stderr: string): GitError | null {
  const [, wanted, other] = BESIDE.exec(stderr) ?? [];
  if (wanted === undefined || other === undefined) return null;
  return new GitError("in-the-way", branchConflictText(wanted, other));
}

function filterAdvice(name: string): string {
  const install = name === "lfs" ? "install git-lfs, or " : "";
  return `${install}correct filter.${name} with git config --edit, or the line of .gitattributes that names it`;
}

function oneLine(message: string): string {
  return message.replace(/[\r\n]+/g, " ").trim();
}
