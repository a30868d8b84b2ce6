import { createHash } from "node:crypto";
import { mkdir, readdir, readFile, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { failpoint } from "../failpoint.ts";
import { sweepTemporaries, writeAtomic } from "../files/atomic.ts";
import { startOf } from "../sandbox/processes.ts";
import { GitError } from "./errors.ts";
import { livingGit } from "./living-git.ts";
import type { Place } from "./place.ts";
import { recordsIn } from "./worktree-records.ts";

/**
 * A claim says that everything at a path is ours to throw away, because we are making or removing a worktree there.
 * It is written before the first step and removed after the last, so that a kill in between leaves it behind.
 */
export async function claim(place: Place, path: string): Promise<void> {
  await mkdir(claimsFolder(place), { recursive: true });
  failpoint("git.worktree.claim.before");
  const own: Claim = { path, commonDir: place.commonDir, pid: process.pid, start: startOf(process.pid) ?? "" };
  await writeAtomic(claimFile(place, path), JSON.stringify(own));
  failpoint("git.worktree.claim.after");
}

export async function releaseClaim(place: Place, path: string): Promise<void> {
  failpoint("git.worktree.release.before");
  await rm(claimFile(place, path), { force: true });
  failpoint("git.worktree.release.after");
}

interface Claim {
  path: string;
  /** Of the repository that it was made in; earlier versions did not note it. */
  commonDir?: string;
  pid: number;
  /** A process id is used again; together with its start it is not. */
  start: string;
}

/** All paths that somebody is making or removing, or was killed over. */
export async function claimedPaths(place: Place): Promise<string[]> {
  return (await claims(place)).map(({ path }) => path);
}

/** The paths that a killed process has left half made or half removed. */
export async function abandonedPaths(place: Place): Promise<string[]> {
  await sweepTemporaries(claimsFolder(place));
  // Within this process one change is made at a time, so a claim of its own is from one that failed.
  const isAtWork = ({ pid, start }: Claim) => pid !== process.pid && start !== "" && startOf(pid) === start;
  return (await claims(place)).filter((one) => !isAtWork(one)).map(({ path }) => path);
}

/** One that came along when a project was moved or copied says nothing about what is at that path now, and goes. */
async function claims(place: Place): Promise<Claim[]> {
  const names = await readdir(claimsFolder(place)).catch(() => []);
  const files = names.filter((name) => /^[0-9a-f]{40}$/.test(name)).map((name) => join(claimsFolder(place), name));
  const found = await Promise.all(
    files.map(async (file) => {
      const one = claimIn(await readFile(file, "utf8"));
      if ((one.commonDir ?? place.commonDir) === place.commonDir) return [one];
      await rm(file, { force: true });
      return [];
    }),
  );
  return found.flat();
}

/** Claims of earlier versions hold nothing but the path. */
function claimIn(text: string): Claim {
  return text.startsWith("{") ? JSON.parse(text) : { path: text, pid: 0, start: "" };
}

const WAITS_MS = [20, 50, 100, 200, 400, 800, 1000, 2000, 4000];

/** Removes a claimed folder and git's own records of it, whatever state they are in. */
export async function clearClaimed(place: Place, path: string): Promise<void> {
  await untilNoGit(place, path);
  failpoint("git.worktree.remove.before");
  await rm(path, { recursive: true, force: true, maxRetries: 5 });
  failpoint("git.worktree.remove.between");
  for (const record of await recordsOf(place, path)) await rm(record, { recursive: true, force: true });
  failpoint("git.worktree.remove.after");
}

/** A git that we started outlives us when we are killed, and would go on filling the folder. */
async function untilNoGit(place: Place, path: string): Promise<void> {
  const never = new AbortController().signal;
  for (const waitMs of WAITS_MS) {
    if ((await livingGit({ file: path, inside: [path] })) !== "some") return;
    await place.clock.sleep(waitMs, never);
  }
  throw new GitError("locked", `a git is still at work in ${path}: wait until it has ended`, { paths: [path] });
}

/** Git's folders for this worktree: those that point at it, and one that was begun and does not point anywhere yet. */
async function recordsOf(place: Place, path: string): Promise<string[]> {
  const begun = (name: string) => name.startsWith(basename(path)) && /^\d*$/.test(name.slice(basename(path).length));
  const own = (await recordsIn(place)).filter(({ gitDir, pointer }) =>
    pointer === null ? begun(basename(gitDir)) : pointer === join(path, ".git"),
  );
  return own.map(({ gitDir }) => gitDir);
}

function claimsFolder({ commonDir }: Place): string {
  return join(commonDir, "anneal/worktree-claims");
}

function claimFile(place: Place, path: string): string {
  return join(claimsFolder(place), createHash("sha1").update(path).digest("hex"));
}
