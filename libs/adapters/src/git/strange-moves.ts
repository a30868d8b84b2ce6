import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { tryChange } from "./locks.ts";
import { isOwnMove, noteMove } from "./own-moves.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";
import { git } from "./run.ts";

/** Where all branches stand, and how far the logs of all work trees reach, as plain data. */
export interface BranchesThen {
  heads: Record<string, string>;
  logged: Record<string, number>;
}

/** What became of branches while somebody worked in one worktree, by full names. */
export interface StrangeMoves {
  putBack: string[];
  /** Branches that are gone with commits that no other ref holds, and where they stood. */
  gone: Record<string, string>;
}

export async function branchesNow(place: Place): Promise<BranchesThen> {
  const logs = otherLogs(place).map((path) => [path, sizeOf(path)] as const);
  return { heads: await headsOf(place), logged: Object.fromEntries(logs) };
}

/**
 * Puts branches back that were moved from this worktree since then, its own and those that we moved ourselves apart. A person
 * commits, pulls, merges or rebases in another work tree, and the log of that one's HEAD says so: such a branch is left alone.
 * So is one where nothing is logged at all, since then nobody can tell.
 */
export async function putBackMoves(place: Place, then: BranchesThen): Promise<StrangeMoves> {
  const now = await headsOf(place);
  const found: StrangeMoves = { putBack: [], gone: {} };
  for (const [ref, before] of Object.entries(then.heads)) {
    const after = now[ref];
    if (after === before || ref === `refs/heads/${place.own?.branch}` || isOwnMove(place, ref, after ?? null)) continue;
    if (after === undefined) {
      if (!(await isHeld(place, before))) found.gone[ref] = before;
    } else if (isLoggedElsewhere(place, then, after) || !isLogged(place, ref, after)) continue;
    else if (await putBack(place, ref, { before, after })) found.putBack.push(ref);
  }
  return found;
}

/** Only while it still stands there: what somebody does meanwhile is not undone. */
function putBack(place: Place, ref: string, { before, after }: { before: string; after: string }): Promise<boolean> {
  return serialised(place.commonDir, async () => {
    const args = ["update-ref", "--no-deref", "-m", "put back: an agent moved it", ref, before, after];
    const { code } = await tryChange(place, { args });
    if (code === 0) noteMove(place, ref, before);
    return code === 0;
  });
}

/** Whether any ref still has the commit in its history. */
async function isHeld({ root }: Place, commit: string): Promise<boolean> {
  const args = ["for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit];
  return (await git({ cwd: root, args })) !== "";
}

async function headsOf({ root }: Place): Promise<Record<string, string>> {
  const listed = await git({ cwd: root, args: ["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/"] });
  const lines = listed.split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(" ") as [string, string]));
}

/** The logs of HEAD in all work trees but this one. */
function otherLogs({ gitDir, commonDir }: Place): string[] {
  const linked = namesIn(join(commonDir, "worktrees")).map((name) => join(commonDir, "worktrees", name));
  return [commonDir, ...linked].filter((home) => home !== gitDir).map((home) => join(home, "logs/HEAD"));
}

function isLoggedElsewhere(place: Place, { logged }: BranchesThen, commit: string): boolean {
  return otherLogs(place).some((path) => arrivals(textOf(path, logged[path] ?? 0)).includes(commit));
}

function isLogged({ commonDir }: Place, ref: string, commit: string): boolean {
  return arrivals(textOf(join(commonDir, "logs", ref), 0)).at(-1) === commit;
}

/** The commits that a log tells of, oldest first. */
function arrivals(log: string): string[] {
  return log.split("\n").flatMap((line) => line.split(" ", 2)[1] ?? []);
}

function textOf(path: string, from: number): string {
  try {
    return readFileSync(path).subarray(from).toString("utf8");
  } catch {
    return "";
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
