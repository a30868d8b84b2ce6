import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { GitError } from "@anneal/git/run/errors";
import { folderKind } from "@anneal/system/files/path-kinds";
import { WORKSPACE_NOTE } from "@anneal/system/sandbox/keep-git";

/** The user's repository that workspaces are made from. */
export interface UserRepository {
  /** The top of the work tree of whoever asked. */
  root: string;
  gitDir: string;
  commonDir: string;
}

export interface WorkspaceNote {
  project: string;
  /** Git's folder of the user's repository. */
  source: string;
  /** Settings that git made for this very repository. */
  config: string;
  /** Where its history is cut off, as that of the user's repository is. */
  shallow?: string;
}

/** The note of a workspace that stands at a path; null where nothing does. Throws where something else is there. */
export function noteAt({ root, commonDir }: UserRepository, path: string): WorkspaceNote | null {
  if (folderKind(path) === "nothing") return null;
  const note = readNote(path);
  if (note !== null && isOf(note, { commonDir })) return note;
  const what = note === null ? "is not an Anneal workspace" : `is a workspace of ${note.project}`;
  throw new GitError("worktree-taken", `${path} ${what}, but Anneal needs that path for ${root}: move it away`);
}

/** Whether a workspace is one of a project, whose folder may have been moved together with it. */
export function isOf(note: WorkspaceNote | null, { commonDir }: Pick<UserRepository, "commonDir">): boolean {
  return note !== null && (note.source === commonDir || !existsSync(note.source));
}

/** Null where a folder is no workspace, or its git leads somewhere else. */
export function readNote(path: string): WorkspaceNote | null {
  const gitDir = join(path, ".git");
  if (folderKind(gitDir) !== "folder") return null;
  try {
    const note: unknown = JSON.parse(readFileSync(join(gitDir, WORKSPACE_NOTE), "utf8"));
    return isNote(note) ? note : null;
  } catch {
    return null;
  }
}

function isNote(value: unknown): value is WorkspaceNote {
  if (typeof value !== "object" || value === null) return false;
  return ["project", "source", "config"].every((key) => typeof Reflect.get(value, key) === "string");
}
