import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { diskFailure } from "@anneal/adapters/files";
import { openRepo, type Repo } from "@anneal/git";
import { readNote } from "@anneal/workspace";
import { UsageError } from "../errors/errors.ts";
import { logFolderOf } from "../log/index.ts";
import { StoreError } from "../log/store-error.ts";

/** The project that a folder belongs to. In a workspace that is the project which the loop works for. */
export async function projectAt(dir: string): Promise<Repo> {
  const repo = await mainOf(await openRepo(dir));
  refuseEarlierLog(repo.root);
  return repo;
}

/** The same for whoever writes there. */
export async function projectToWrite(dir: string): Promise<Repo> {
  const repo = await projectAt(dir);
  refuseUnwritable(repo);
  await keepOutOfCommits(repo);
  return repo;
}

/** Throws where nothing can be written in a project, before anything begins. */
export function refuseUnwritable(repo: Repo): void {
  const folders = [
    [join(repo.root, ".automaker"), repo.root],
    [logFolderOf(repo).folder, repo.gitDir],
  ];
  for (const path of folders.flatMap((ways) => ways.find(existsSync) ?? [])) {
    try {
      accessSync(path, constants.W_OK);
    } catch (error) {
      throw new UsageError(`cannot write to ${path}: ${diskFailure(error) ?? "permission denied"}`);
    }
  }
}

/** Work items lie in the work tree; the lock of their files, and what a kill leaves half-written, are not for commits. */
export async function keepOutOfCommits(repo: Repo): Promise<void> {
  await repo.exclude(["anneal-files.lock", "/.automaker/**/.*.tmp"]);
}

/** Loops that go on in a log that is not looked at any more would seem to be gone. */
function refuseEarlierLog(root: string): void {
  const path = join(root, ".automaker/anneal.db");
  if (existsSync(path))
    throw new StoreError("earlier", `${path} is the log of an earlier Anneal, which this version does not read.`);
}

async function mainOf(repo: Repo): Promise<Repo> {
  const workspace = readNote(repo.root);
  if (workspace !== null && existsSync(workspace.project)) return await openRepo(workspace.project);
  if (repo.gitDir === repo.commonDir) return repo;
  const [main] = await repo.listWorktrees();
  return main?.kind === "main" ? await openRepo(main.path) : repo;
}
