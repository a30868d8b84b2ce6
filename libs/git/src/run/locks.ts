import { readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { GitError } from "./errors.ts";
import { type GitProcessFilter, livingGit } from "./living-git.ts";
import { brokenOffSince, recorded } from "./lock-record.ts";
import { contains } from "./paths.ts";
import type { RepoLocation } from "./repo-location.ts";
import { failure, type GitCall, type GitResult, runGit } from "./run.ts";

type Change = Omit<GitCall, "cwd">;

/** Runs a git that changes the index or refs; waits for locks, clears stale ones, and throws anything but success. */
export async function changeGit(location: RepoLocation, call: Change): Promise<string> {
  const result = await tryChange(location, call);
  if (result.code !== 0) throw failure({ cwd: location.root, ...call }, result);
  return result.stdout.toString("utf8");
}

const WAITS_MS = [10, 20, 40, 80, 160, 320, 640, 1000, 1000, 1000, 2000, 2000, 2000];

/** Like `changeGit`, but a failing exit code is a value. `run` is for a git that is talked to while it runs. */
export async function tryChange(location: RepoLocation, call: Change, run: typeof runGit = runGit): Promise<GitResult> {
  for (let tries = 0; ; tries++) {
    const since = brokenOffSince(location);
    const result = await recorded(location, () => run({ cwd: location.root, ...call }));
    const lock = result.code === 0 ? null : heldLock(location, result.stderr);
    if (lock === null) return result;
    const waitMs = WAITS_MS[tries];
    if (waitMs === undefined) throw stillLocked(lock);
    if (!(await clearStale(location, lock, since))) await location.clock.sleep(waitMs, call.signal ?? NEVER);
  }
}

const NEVER = new AbortController().signal;

/** The lock that git complains about, if it is one of this repository. */
function heldLock({ commonDir, gitDir }: RepoLocation, stderr: string): string | null {
  const lock = /Unable to create '(.+\.lock)': File exists/.exec(stderr)?.[1];
  if (lock === undefined || !(contains(commonDir, lock) || contains(gitDir, lock))) return null;
  // In a bare repository git names it with a dot in between.
  return normalize(lock);
}

const STALE_AFTER_MS = 10 * 60_000;

/**
 * Removes a lock that nobody can hold any more; says whether it did.
 * No living git may be at work there, and the lock must be younger than a git of ours that was killed there (so it is that git's), or in a workspace of
 * ours, or older than ten minutes (a holder that we cannot see, in another
 * container or not called git, has had its time); where processes cannot be seen, a person decides.
 */
async function clearStale(location: RepoLocation, lock: string, since: number | null): Promise<boolean> {
  const found = await stat(lock).catch(() => null);
  if (found === null) return true;
  const ours = (since !== null && found.mtimeMs >= since) || isOfWorkspace(location);
  if (!ours && Date.now() - found.mtimeMs < STALE_AFTER_MS) return false;
  const where = await workingFolders(location, lock);
  // Other loops of this process run git all the time; what they started since then cannot hold it.
  if ((await livingGit(ours ? { ...where, madeMs: found.mtimeMs } : where)) !== "none") return false;
  await rm(lock, { force: true });
  return true;
}

/** Whoever works in a workspace works for us: the gits of agents, hooks and checks are killed with them. */
function isOfWorkspace({ own }: RepoLocation): boolean {
  return own !== undefined;
}

/** An index is used from one work tree only; everything else is shared by all of them. */
async function workingFolders({ root, gitDir, commonDir }: RepoLocation, lock: string): Promise<GitProcessFilter> {
  const linked = await linkedRoots(commonDir);
  if (lock !== join(gitDir, "index.lock"))
    return { file: lock, inside: [root, commonDir, dirname(commonDir), ...linked] };
  const nested = [...linked, join(commonDir, "worktrees")].filter(
    (one) => !contains(one, root) && !contains(one, gitDir),
  );
  return { file: lock, inside: [root, gitDir], except: nested };
}

async function linkedRoots(commonDir: string): Promise<string[]> {
  const folder = join(commonDir, "worktrees");
  const names = await readdir(folder).catch(() => []);
  const pointers = await Promise.all(
    names.map((name) => readFile(join(folder, name, "gitdir"), "utf8").catch(() => "")),
  );
  return pointers.filter(Boolean).map((pointer) => dirname(pointer.trim()));
}

function stillLocked(lock: string): GitError {
  const advice = "wait until it ends, or remove the file if no git is running";
  return new GitError("locked", `another git holds ${lock}: ${advice}`, { paths: [lock] });
}
