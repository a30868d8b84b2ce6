import type { Clock } from "@anneal/system/clock";

/** Where a repository lives: the top of its work tree, its own git directory, and the one shared by all its worktrees. */
export interface RepoLocation {
  root: string;
  gitDir: string;
  commonDir: string;
  /** Waits for the locks of other git processes go through it. */
  clock: Clock;
  /** The branch that a workspace was asked for, by its short name; null for a detached head. Nothing but that one ever moves there. */
  own?: { branch: string | null };
}
