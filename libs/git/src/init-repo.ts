import { openRepo, type Repo } from "./repo.ts";

/** Makes a repository in an empty folder and opens it. */
export async function initRepo(dir: string, identity: { name: string; email: string }): Promise<Repo> {
  await (await import("./write/branch/create.ts")).createRepository(dir, identity);
  return await openRepo(dir);
}
