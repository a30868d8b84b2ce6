import { closeSync, constants, lstatSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { systemCode } from "@anneal/system/files/errors";
import type { RepoLocation } from "../../run/repo-location.ts";

/** Where a work tree stands, as far as git's own files say it: `unknown` is a question for git. */
export interface HeadFile {
  /** The full name; null on a detached head. */
  branch: string | null | "unknown";
  /** Null on a branch without commits. */
  commit: string | null | "unknown";
}

const ID = /^([0-9a-f]{40}|[0-9a-f]{64})\n?$/;
const BRANCH = /^ref: (refs\/heads\/[^\0\n]+)\n?$/;

/** Reads HEAD and the branch that it names without starting a git; other storages are left to git. */
export async function readHead({ gitDir, commonDir }: RepoLocation): Promise<HeadFile> {
  const head = contentOf(join(gitDir, "HEAD"));
  const [, detached] = ID.exec(head) ?? [];
  if (detached !== undefined) return { branch: null, commit: detached };
  const [, branch] = BRANCH.exec(head) ?? [];
  // A name that no branch can have stands where refs are stored in another way.
  if (branch === undefined || ODD.test(branch)) return { branch: "unknown", commit: "unknown" };
  return { branch, commit: await readRef({ commonDir }, branch) };
}

const ODD = /\/\.|\.\./;

/** Branches, here or as a remote has them. */
const READ = /^refs\/(?:heads|remotes)\//;

/** Where a branch stands, by its full name, in the same way; null where there is none. */
export async function readRef(
  { commonDir }: Pick<RepoLocation, "commonDir">,
  ref: string,
): Promise<string | null | "unknown"> {
  if (!READ.test(ref) || ODD.test(ref) || ref.includes("\0")) return "unknown";
  const path = join(commonDir, ref);
  const [, commit] = ID.exec(contentOf(path)) ?? [];
  if (commit !== undefined) return commit;
  // Looked for in this order: git removes the file only once the branch is among the packed ones.
  const isPlain = isFolder(join(commonDir, "refs/heads"));
  return isPlain && isNothingAt(path) ? packedRef(join(commonDir, "packed-refs"), ref) : "unknown";
}

/** Where a ref stands among the packed ones, which git writes anew as a whole. */
function packedRef(path: string, ref: string): string | null | "unknown" {
  const text = contentOf(path);
  if (text === "") return isNothingAt(path) ? null : "unknown";
  const end = text.indexOf(` ${ref}\n`);
  if (end === -1) return null;
  return ID.exec(text.slice(text.lastIndexOf("\n", end) + 1, end))?.[1] ?? "unknown";
}

/** The text of all packed refs; null where it cannot be read, or refs are stored in another way. */
export function packedRefs({ commonDir }: Pick<RepoLocation, "commonDir">): string | null {
  if (!isFolder(join(commonDir, "refs/heads"))) return null;
  const path = join(commonDir, "packed-refs");
  const text = contentOf(path);
  return text === "" && !isNothingAt(path) ? null : text;
}

/** The branch that another one stands for, as `origin/HEAD` does; null where it stands for none. */
export function symbolicTarget({ commonDir }: Pick<RepoLocation, "commonDir">, ref: string): string | null {
  const [, target] = SYMBOLIC.exec(contentOf(join(commonDir, ref))) ?? [];
  return target ?? null;
}

const SYMBOLIC = /^ref: (refs\/(?:heads|remotes)\/[^\0\n]+)\n?$/;

function isNothingAt(path: string): boolean {
  return kindOf(path) === "nothing";
}

/** Where branches are stored in another way, git puts a file in its place. */
function isFolder(path: string): boolean {
  return kindOf(path) === "folder";
}

function kindOf(path: string): "nothing" | "folder" | "other" {
  try {
    return lstatSync(path).isDirectory() ? "folder" : "other";
  } catch (error) {
    const code = systemCode(error);
    return code === "ENOENT" || code === "ENOTDIR" ? "nothing" : "other";
  }
}

const NO_LINK = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** Not through a link: an old way to say which branch is checked out. At once, since a thread would take longer to wake. */
function contentOf(path: string): string {
  try {
    const file = openSync(path, NO_LINK);
    try {
      return readFileSync(file, "utf8");
    } finally {
      closeSync(file);
    }
  } catch {
    return "";
  }
}
