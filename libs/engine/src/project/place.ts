import { openRepo, type Repo } from "@anneal/adapters/git";

/** The project that a folder belongs to. In a loop's worktree that is the project which the loop works for. */
export async function projectAt(dir: string): Promise<Repo> {
  const repo = await openRepo(dir);
  if (repo.gitDir === repo.commonDir) return repo;
  const [main] = await repo.listWorktrees();
  return main?.kind === "main" ? await openRepo(main.path) : repo;
}
