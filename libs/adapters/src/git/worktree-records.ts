import { existsSync } from "node:fs";
import { lstat, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { systemCode } from "../files/errors.ts";
import { ASKED_FROM_NOTE } from "../sandbox/repository.ts";
import { readHead } from "./head-file.ts";
import type { Place } from "./place.ts";

/** In git's own folder of a worktree: while it is there, somebody of ours works there, so a branch that was switched is our own doing. */
export const AT_WORK_NOTE = "anneal-at-work";

/** Git's own folder of a linked worktree. */
interface WorktreeRecord {
  gitDir: string;
  /** The `.git` of the worktree; null where git had only begun to make it. */
  pointer: string | null;
}

export async function recordsIn({ commonDir }: Place): Promise<WorktreeRecord[]> {
  const folder = join(commonDir, "worktrees");
  const names = await readdir(folder).catch(() => []);
  return await Promise.all(
    names.map(async (name) => {
      const gitDir = join(folder, name);
      const named = (await textOf(join(gitDir, "gitdir"))).trim();
      return { gitDir, pointer: named === "" ? null : resolve(gitDir, named) };
    }),
  );
}

/**
 * Leads a worktree back to its repository where a process of ours was killed while somebody worked there who had changed that:
 * else what is left of it could never be opened again.
 */
export async function mendPointer(place: Place, path: string): Promise<void> {
  const pointer = join(path, ".git");
  const own = (await recordsIn(place)).find((one) => one.pointer === pointer);
  if (own === undefined || !existsSync(join(own.gitDir, AT_WORK_NOTE)) || !existsSync(path)) return;
  if ((await leadsTo(path)) !== own.gitDir) await pointTo(own.gitDir, pointer);
}

/**
 * Leads a worktree and its record to each other again after the project's folder was moved: both name each other by the old
 * place. Told by the name of the record, by the same place under `.worktrees/`, and by there being nothing at the old one.
 */
export async function followMove({ commonDir }: Place, path: string): Promise<void> {
  const pointer = join(path, ".git");
  const within = pointer.slice(pointer.lastIndexOf("/.worktrees/"));
  const leads = await leadsTo(path);
  if (leads === null || !within.startsWith("/.worktrees/") || basename(dirname(leads)) !== "worktrees") return;
  const gitDir = join(commonDir, "worktrees", basename(leads));
  const [back = "", common = ""] = await Promise.all(["gitdir", "commondir"].map((name) => textOf(join(gitDir, name))));
  const named = resolve(gitDir, back.trim());
  if (!named.endsWith(within) || existsSync(named) || resolve(gitDir, common.trim()) !== commonDir) return;
  // In a copy of a project the files lead to the first one as long as that is there.
  if (leads !== gitDir && existsSync(leads)) return;
  // In this order: a kill in between leaves what can still be told.
  if (leads !== gitDir) await pointTo(gitDir, pointer);
  await writeFile(join(gitDir, "gitdir"), `${pointer}\n`);
}

async function pointTo(gitDir: string, pointer: string): Promise<void> {
  await rm(pointer, { recursive: true, force: true });
  await writeFile(pointer, `gitdir: ${gitDir}\n`);
}

/**
 * Drops git's records of worktrees that are gone, of ours alone: what stood at this path, and what we had under `.worktrees/`
 * on this branch. Anybody else's may only be out of reach, and its record holds its head and all that is staged there.
 */
export async function dropGone(place: Place, path: string, branch: string | null): Promise<void> {
  if (await holdsSomething(path)) return;
  for (const { gitDir, pointer } of await recordsIn(place)) {
    if (pointer === null || existsSync(join(gitDir, "locked"))) continue;
    const tree = dirname(pointer);
    const isOurs = existsSync(join(gitDir, ASKED_FROM_NOTE)) && basename(dirname(tree)) === ".worktrees";
    const isOnIt =
      isOurs && branch !== null && (await readHead({ ...place, gitDir })).branch === `refs/heads/${branch}`;
    if (tree !== path && !(isOnIt && !(await holdsSomething(tree)))) continue;
    await rm(gitDir, { recursive: true, force: true });
  }
}

/** What cannot be looked into may hold anything. */
export async function holdsSomething(path: string): Promise<boolean> {
  try {
    return (await readdir(path)).length > 0;
  } catch (error) {
    return systemCode(error) !== "ENOENT";
  }
}

async function leadsTo(path: string): Promise<string | null> {
  const [, leads] = /^gitdir: (.+)\n$/.exec(await textOf(join(path, ".git"))) ?? [];
  return leads === undefined ? null : resolve(path, leads);
}

/** A pipe has no text, and to read it could take for ever. */
export async function textOf(path: string): Promise<string> {
  if (!(await lstat(path).catch(() => null))?.isFile()) return "";
  return await readFile(path, "utf8").catch(() => "");
}
