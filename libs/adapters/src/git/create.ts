import type { Place } from "./place.ts";
import { git } from "./run.ts";

/** Makes a repository on branch `main` whose commits carry this identity. */
export async function createRepository(dir: string, identity: { name: string; email: string }): Promise<void> {
  await git({ cwd: dir, args: ["init", "--quiet", "--initial-branch=main"] });
  await git({ cwd: dir, args: ["config", "user.name", identity.name] });
  await git({ cwd: dir, args: ["config", "user.email", identity.email] });
}

/** Makes a branch at HEAD and checks it out. */
export async function switchToNew({ root }: Place, branch: string): Promise<void> {
  await git({ cwd: root, args: ["switch", "--quiet", "--create", branch] });
}
