import { lstat, readdir, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { failpoint } from "@anneal/system/failpoint";
import { isKnownCommit } from "../../read/refs/known-commits.ts";
import { indexTraits } from "../../read/tree/index-file.ts";
import { type Folders, linksIn } from "../../read/tree/submodules.ts";
import { unfinished } from "../../read/tree/unfinished.ts";
import { fetchSubmodule, isHere } from "../../remote/fetch.ts";
import { GitError } from "../../run/errors.ts";
import { changeGit } from "../../run/locks.ts";
import { contains } from "../../run/paths.ts";
import { serialised } from "../../run/queue.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { failure, git, runGit } from "../../run/run.ts";
import { toOwnBranch } from "../branch/own-branch.ts";
import { checkOutAll } from "./whole-checkout.ts";

export interface ResetOptions {
  /** Ignored files stay unless they are to go too. */
  ignored?: "stay" | "go";
  /** What the target is, where the caller knows it. */
  kind?: "commit" | "tree";
}

/**
 * Makes index and work tree equal to a tree or commit and removes untracked files.
 * A commit also becomes the head of the workspace's own branch, or of the current one where it has none; a tree leaves it where it is.
 * Each step only leads further to the same end, so after a kill it is simply run again.
 */
export async function resetTo(location: RepoLocation, target: string, options: ResetOptions = {}): Promise<void> {
  const { ignored = "stay", kind = await kindOf(location, target) } = options;
  failpoint("git.reset.before");
  await forgetMerge(location);
  await checkOutAll(location);
  if (kind === "commit") await resetToCommit(location, target);
  else await changeGit(location, { args: ["read-tree", "--reset", "-u", target] });
  failpoint("git.reset.between");
  await clean(location.root, { ignored });
  await resetSubmodules(location, location.own === undefined ? "any" : "ours");
  failpoint("git.reset.after");
}

async function kindOf(location: RepoLocation, target: string): Promise<string> {
  if (isKnownCommit(location, target)) return "commit";
  return (await git({ cwd: location.root, args: ["cat-file", "-t", target] })).trim();
}

function resetToCommit(location: RepoLocation, commit: string): Promise<void> {
  return serialised(location.commonDir, async () => {
    await toOwnBranch(location, commit);
    await changeGit(location, { args: ["reset", "--hard", "--quiet", "--no-recurse-submodules", commit] });
  });
}

/** What an agent left in the middle of a merge, pick or revert would keep us from committing. */
async function forgetMerge(location: RepoLocation): Promise<void> {
  for (const command of await unfinished(location)) await git({ cwd: location.root, args: [command, "--quit"] });
}

interface CleanOptions extends Pick<ResetOptions, "ignored"> {
  env?: Record<string, string>;
}

/** Removes everything that the index does not have; ignored files stay unless they are to go too. */
export async function clean(root: string, { ignored, env = {} }: CleanOptions = {}): Promise<void> {
  // Twice forced: a nested repository that an agent left behind goes too.
  const args = ["clean", "-d", "--force", "--force", "--quiet"];
  await git({ cwd: root, args: ignored === "go" ? [...args, "-x"] : args, env });
}

/** Git leaves the files of submodules alone; those that are checked out here have to follow, and theirs with them. */
async function resetSubmodules(folders: Folders, whose: "ours" | "any"): Promise<void> {
  if (indexTraits(folders)?.submodules === false) return;
  for (const { path, commit } of await linksIn(folders)) {
    const root = join(folders.root, path);
    const pointer = await lstat(join(root, ".git")).catch(() => null);
    // A repository in the folder itself is not one that we made for a workspace, and its settings may be an agent's.
    if (whose === "ours" && (pointer === null || pointer.isDirectory())) await emptyFolder(root);
    else if (pointer !== null) {
      const home = await ownHome(folders, root, whose);
      await checkOutSubmodule(folders, path, commit);
      await clean(root);
      await resetSubmodules({ root, gitDir: home, commonDir: home }, whose);
    }
  }
}

/** A commit that is not here yet, as after the base has moved on, is fetched first. */
export async function checkOutSubmodule(folders: Folders, path: string, commit: string): Promise<void> {
  const root = join(folders.root, path);
  const call = { cwd: root, args: ["checkout", "--force", "--detach", "--quiet", commit] };
  const result = await runGit(call);
  if (result.code === 0) return;
  if (await isHere({ root }, commit)) throw failure(call, result);
  await fetchSubmodule(folders, path, commit);
  await git(call);
}

/** Git takes no notice of what lies in the folder of a submodule that is not checked out. */
async function emptyFolder(folder: string): Promise<void> {
  // Not through a link that an agent put there.
  if ((await realpath(folder).catch(() => null)) !== folder) return;
  const names = await readdir(folder).catch(() => []);
  for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
}

/** Where git keeps a submodule. A pointer that an agent bent could make us reset somebody else's repository. */
async function ownHome({ commonDir, gitDir }: Folders, root: string, whose: "ours" | "any"): Promise<string> {
  const args = ["rev-parse", "--path-format=absolute", "--show-toplevel", "--absolute-git-dir"];
  const [top = "", home = ""] = (await git({ cwd: root, args })).split("\n");
  const homes = [join(commonDir, "modules"), join(gitDir, "modules"), ...(whose === "any" ? [root] : [])];
  if (top === root && homes.some((one) => contains(one, home))) return home;
  throw new GitError(
    "failed",
    `the submodule ${root} uses ${home} as its git folder, which belongs to another repository: remove the folder of the submodule`,
  );
}
