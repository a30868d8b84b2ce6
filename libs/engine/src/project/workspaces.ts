import { loadSettings } from "@anneal/adapters/files";
import type { Repo } from "@anneal/adapters/git";
import { type Workspaces, workspacesOf } from "@anneal/adapters/workspace";

/** The workspaces of a project, where its settings want them. */
export async function projectWorkspaces(repo: Repo): Promise<Workspaces> {
  const { global, project } = await loadSettings(repo.root);
  return workspacesOf(repo, project.worktree?.home ?? global.worktree?.home);
}
