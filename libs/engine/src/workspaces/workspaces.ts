import { existsSync } from "node:fs";
import { loadSettings } from "@anneal/adapters/files";
import type { Repo } from "@anneal/git";
import type { ItemRef } from "@anneal/types";
import { type Workspaces, workspacesOf } from "@anneal/workspace";
import { folderOf } from "../history/item-key.ts";

/** Where an item's loops work, if anything is there. */
export async function workspaceOf(repo: Repo, item: ItemRef): Promise<string | null> {
  const path = (await projectWorkspaces(repo)).pathOf(folderOf(item));
  return existsSync(path) ? path : null;
}

/** The workspaces of a project, where its settings want them. */
export async function projectWorkspaces(repo: Repo): Promise<Workspaces> {
  const { global } = await loadSettings(repo.root);
  return workspacesOf(repo, global.worktree?.home);
}
