import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Repo } from "@anneal/git";

/** The name that every half-written file ends with, so that the sweeper knows it. */
export const TEMPORARY = ".anneal-tmp";

/** What leads to a log: the git folder of the work tree itself, also of a linked one. */
export type GitFolder = Pick<Repo, "gitDir">;

/** Where the log of a project lies, with everything else that the engine owns. */
export interface LogFolder {
  folder: string;
  database: string;
  lock: string;
  ownerNote: string;
  blobs: string;
  /** Transcripts that are being written. */
  running: string;
}

/** In the git folder, where no branch, checkout or `git clean` comes. */
export function logFolderOf({ gitDir }: GitFolder): LogFolder {
  const folder = join(gitDir, "anneal");
  return {
    folder,
    database: join(folder, "log.db"),
    // Not `*.lock`: people remove those from a git folder when git has died, and two owners would run the same loops.
    lock: join(folder, "lock"),
    ownerNote: join(folder, "owner.json"),
    blobs: join(folder, "blobs"),
    running: join(folder, "blobs", "running"),
  };
}

/** Makes the folder, but never the git folder itself: a repository that is gone stays an error. */
export function makeFolder({ folder }: LogFolder): void {
  try {
    mkdirSync(folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  }
}
