import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

/**
 * The folder that holds the workspaces of a project: beside the repository, where its test runners and watchers do not look, in a
 * path without a leading dot. A project that has `.worktrees/` from another tool keeps its work there.
 */
export function workspacesHome(root: string, configured?: string): string {
  if (configured !== undefined) return resolve(root, configured);
  const shared = `${root}.anneal`;
  if (existsSync(shared) && statSync(shared).isDirectory()) return shared;
  return join(dirname(root), `${basename(root)}.anneal`);
}
