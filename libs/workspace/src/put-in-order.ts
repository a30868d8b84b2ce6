import { existsSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { GitError } from "@anneal/git/run/errors";
import { folderKind } from "@anneal/system/files/path-kinds";
import { harmless, leadsNowhereElse, WORKSPACE_NOTE } from "@anneal/system/sandbox/keep-git";
import { dropLocks, mendHead, settingsFor, writeSettings } from "./git-settings.ts";
import type { UserRepository, WorkspaceNote } from "./workspace-note.ts";

/** Puts git in order where somebody worked, before any git of ours runs there. Locks only where nobody but us can hold them. */
export async function putInOrder(
  source: UserRepository,
  path: string,
  { note, branch, isOurs }: { note: WorkspaceNote; branch: string | null; isOurs: boolean },
): Promise<void> {
  const gitDir = join(path, ".git");
  leadsNowhereElse(gitDir);
  const gone = ["refs", "objects"].find((name) => folderKind(join(gitDir, name)) !== "folder");
  if (gone !== undefined)
    throw new GitError(
      "failed",
      `git cannot work in ${path}, whose .git/${gone} is gone: move the folder away, and Anneal creates a new one`,
    );
  // Where we were killed, an agent had the note in its hands as well.
  writeSettings(gitDir, await settingsFor(source, harmless(note.config)));
  mendHead(gitDir, branch);
  rmSync(join(gitDir, "shallow"), { recursive: true, force: true });
  if (note.shallow !== undefined && existsSync(join(source.commonDir, "shallow")))
    writeFileSync(join(gitDir, "shallow"), note.shallow);
  if (isOurs) dropLocks(gitDir);
  writeFileSync(
    join(gitDir, WORKSPACE_NOTE),
    `${JSON.stringify({ ...note, project: source.root, source: source.commonDir })}\n`,
  );
}
