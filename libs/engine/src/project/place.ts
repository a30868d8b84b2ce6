import { join } from "node:path";
import { openRepo, type Repo } from "@anneal/adapters/git";
import { StoreError } from "../embedded/store-error.ts";

/** The project that a folder belongs to. In a loop's worktree that is the project which the loop works for. */
export async function projectAt(dir: string): Promise<Repo> {
  const repo = await mainOf(await openRepo(dir));
  // Whoever can commit a log could say in it that everything was reviewed.
  if (await repo.holds(".automaker/anneal.db"))
    throw new StoreError("tracked", `${join(repo.root, ".automaker/anneal.db")} is tracked by git.`);
  return repo;
}

async function mainOf(repo: Repo): Promise<Repo> {
  if (repo.gitDir === repo.commonDir) return repo;
  const [main] = await repo.listWorktrees();
  return main?.kind === "main" ? await openRepo(main.path) : repo;
}
