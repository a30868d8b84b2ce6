import type { RepoLocation } from "../../run/repo-location.ts";
import { git } from "../../run/run.ts";

/** Makes a repository on branch `main` whose commits carry this identity. */
export async function createRepository(dir: string, identity: { name: string; email: string }): Promise<void> {
  await git({ cwd: dir, args: ["init", "--quiet", "--initial-branch=main"] });
  await git({ cwd: dir, args: ["config", "user.name", identity.name] });
  await git({ cwd: dir, args: ["config", "user.email", identity.email] });
  // A made-up project should not trip over the hooks, signing keys and ignore rules of whoever looks at it.
  await git({ cwd: dir, args: ["config", "core.hooksPath", "/dev/null"] });
  await git({ cwd: dir, args: ["config", "core.excludesFile", "/dev/null"] });
  await git({ cwd: dir, args: ["config", "commit.gpgSign", "false"] });
}

/** Makes a branch at HEAD and checks it out. */
export async function switchToNew({ root }: RepoLocation, branch: string): Promise<void> {
  await git({ cwd: root, args: ["switch", "--quiet", "--create", branch] });
}
