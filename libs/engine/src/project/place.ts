import { realpathSync } from "node:fs";
import { join, relative } from "node:path";
import { openRepo, type Repo } from "@anneal/adapters/git";
import { LOG_FILES } from "../embedded/log-files.ts";
import { StoreError } from "../embedded/store-error.ts";

/** The project that a folder belongs to. In a loop's worktree that is the project which the loop works for. */
export async function projectAt(dir: string): Promise<Repo> {
  const repo = await mainOf(await openRepo(dir));
  // Whoever can commit a log could say in it that everything was reviewed.
  const tracked = await repo.held(LOG_FILES.flatMap((path) => [path, ...realPath(repo.root, path)]));
  if (tracked !== null)
    throw new StoreError("tracked", `${join(repo.root, tracked)} is tracked by git: git rm --cached ${tracked}.`);
  return repo;
}

/** Where a path of the project really lies, if links lead to another place of it. */
function realPath(root: string, path: string): string[] {
  try {
    const real = relative(realpathSync(root), realpathSync(join(root, path)));
    return real === path || real.startsWith("..") ? [] : [real];
  } catch {
    return [];
  }
}

async function mainOf(repo: Repo): Promise<Repo> {
  if (repo.gitDir === repo.commonDir) return repo;
  const [main] = await repo.listWorktrees();
  return main?.kind === "main" ? await openRepo(main.path) : repo;
}
