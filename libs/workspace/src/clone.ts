import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { GitError } from "@anneal/git/run/errors";
import { git } from "@anneal/git/run/run";
import { requireSpace } from "@anneal/git/run/space";
import { failpoint } from "@anneal/system/failpoint";
import { folderKind, isPlainFile } from "@anneal/system/files/path-kinds";
import { WORKSPACE_NOTE } from "@anneal/system/sandbox/keep-git";
import { settingsFor, writeSettings } from "./git-settings.ts";
import { ownObjects } from "./own-objects.ts";
import { bringSubmodules } from "./submodules.ts";
import type { UserRepository, WorkspaceNote } from "./workspace-note.ts";

/** No item is named like that. */
export const HALF_MADE = ".new-";

const MIN_FREE_BYTES = 200_000_000;

/**
 * A repository of its own next to the user's, with the same branches and tags and copies of the same objects. Nothing that is done
 * there reaches the user's: it has no way back to it. Whole or not there at all, whenever the process is killed.
 */
export async function makeClone(
  source: UserRepository,
  path: string,
  checkOut: { branch: string } | { commit: string },
): Promise<void> {
  const half = join(dirname(path), `${HALF_MADE}${basename(path)}`);
  await mkdir(dirname(path), { recursive: true }).catch((error: Error) => {
    throw new GitError(
      "failed",
      `cannot create a workspace in ${dirname(path)} (${error.message}): set "worktree": {"home": …} in .automaker/settings.json to a writable folder`,
    );
  });
  await rm(half, { recursive: true, force: true });
  await requireSpace(dirname(path), MIN_FREE_BYTES);
  failpoint("workspace.clone.before");
  // Objects that gc in the user's repository removes stay here: never alternates.
  const args = ["clone", "--quiet", "--bare", "--template=", ...REMOTES, "--", source.commonDir, join(half, ".git")];
  await git({ cwd: source.root, args: ["-c", "protocol.file.allow=always", ...args] });
  const gitDir = join(half, ".git");
  const note: WorkspaceNote = { project: source.root, source: source.commonDir, config: ownConfig(gitDir) };
  if (existsSync(join(gitDir, "shallow"))) note.shallow = readFileSync(join(gitDir, "shallow"), "utf8");
  writeSettings(gitDir, await settingsFor(source, note.config));
  copyRemoteHeads(source.commonDir, gitDir);
  const to = "branch" in checkOut ? [checkOut.branch, "--"] : ["--detach", checkOut.commit];
  await git({ cwd: half, args: ["checkout", "--quiet", "--force", ...to] });
  await bringSubmodules(source, { root: half, gitDir, commonDir: gitDir });
  await ownObjects(gitDir);
  writeFileSync(join(gitDir, WORKSPACE_NOTE), `${JSON.stringify(note)}\n`);
  failpoint("workspace.clone.between");
  await rename(half, path);
  failpoint("workspace.clone.after");
}

/**
 * Branches and tags come by themselves; what is kept under other names is nobody's business here. Which branch is a remote's own one
 * is no commit, and would be fetched as one.
 */
export const REMOTE_REFS = ["+refs/remotes/*:refs/remotes/*", "^refs/remotes/*/HEAD"];
const REMOTES = REMOTE_REFS.flatMap((refspec) => ["-c", `remote.origin.fetch=${refspec}`]);

/** Which branch is each remote's own one. */
function copyRemoteHeads(from: string, to: string): void {
  const folder = "refs/remotes";
  // Where branches are stored in another way, `refs/heads` is a file.
  if (folderKind(join(from, folder)) !== "folder" || folderKind(join(to, "refs/heads")) !== "folder") return;
  for (const remote of readdirSync(join(from, folder))) {
    const head = join(folder, remote, "HEAD");
    if (!isPlainFile(join(from, head))) continue;
    mkdirSync(join(to, folder, remote), { recursive: true });
    copyFileSync(join(from, head), join(to, head));
  }
}

/** What git itself has written: of which format the repository is, and nothing of where it came from. */
function ownConfig(gitDir: string): string {
  const [core = "", ...more] = readFileSync(join(gitDir, "config"), "utf8").split(/^(?=\[)/m);
  const kept = more.filter((section) => section.startsWith("[extensions]"));
  return [core.replace(/^\s*bare = .*$/m, "\tbare = false\n\tlogallrefupdates = true"), ...kept].join("");
}
