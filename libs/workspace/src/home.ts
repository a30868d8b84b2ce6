import { join, resolve } from "node:path";
import { folderKind } from "@anneal/system/files/path-kinds";

/**
 * The folder that holds the workspaces of a project: next to the repository, where its test runners and watchers do not look, in a
 * path without a leading dot. A project that has `.worktrees/` from another tool keeps its work there.
 */
export function workspacesHome(root: string, configured?: string): string {
  if (configured !== undefined) return resolve(root, configured);
  const shared = join(root, ".worktrees");
  return folderKind(shared) === "folder" ? shared : `${root}.anneal`;
}
