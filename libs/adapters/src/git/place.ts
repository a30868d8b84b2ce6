/** Where a repository lives: the top of its work tree, its own git directory, and the one shared by all its worktrees. */
export interface Place {
  root: string;
  gitDir: string;
  commonDir: string;
}
