import { PUT_BACK, RENAMED } from "./agent-moves.ts";
import { keepTree } from "./kept-trees.ts";
import { tryChange } from "./locks.ts";
import { noteMove } from "./own-moves.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";
import { logOfRef, movesSince } from "./ref-log.ts";
import { isAncestor, LASTING } from "./refs.ts";
import { git, runGit } from "./run.ts";

/** Branches, tags and notes, and what we keep ourselves, by their full names. */
export async function refsNow({ root }: Place): Promise<Record<string, string>> {
  const args = ["for-each-ref", "--format=%(refname) %(objectname)", ...COMPARED];
  const lines = (await git({ cwd: root, args })).split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(" ") as [string, string]));
}

const COMPARED = ["refs/heads/", "refs/tags/", "refs/notes/", "refs/anneal/kept/"];

/** What this worktree holds by itself: its head, and the branch that goes back there. */
export interface Holds {
  own: string | null;
  head: string | null;
}

/** Keeps an object that nothing would hold once the worktree is put back to where it stood; null where that needs nothing. */
export async function keepLost(place: Place, holds: Holds, prefix: string, id: string): Promise<string | null> {
  if (id === holds.head || (await isHeld(place, holds, id))) return null;
  const kept = prefix + id.slice(0, 12);
  await keepTree(place, kept, id);
  return kept;
}

async function isHeld(place: Place, { own, head }: Holds, id: string): Promise<boolean> {
  const type = await runGit({ cwd: place.root, args: ["cat-file", "-t", id] });
  // Git has thrown it away, or it never was: there is nothing left to keep.
  if (type.code !== 0) return true;
  const isCommit = type.stdout.toString("latin1").trim() === "commit";
  if (isCommit && head !== null && (await isAncestor(place, id, head))) return true;
  // Not --points-at: for that the commit behind a tag is as good as the tag.
  const which = isCommit ? ["--contains", id] : [];
  const args = ["for-each-ref", "--format=%(refname) %(objectname)", ...which, ...LASTING, "refs/notes"];
  const lines = (await git({ cwd: place.root, args })).split("\n").filter(Boolean);
  return lines.some((line) => !line.startsWith(`${own} `) && (isCommit || line.endsWith(` ${id}`)));
}

/** Those that this process has made anew. */
const madeAgain = new Set<string>();

/**
 * Makes a ref anew where it stood; false where somebody else did, or git has nothing to make it of. Once only: a person who
 * removes it again means it.
 */
export function makeAgain(place: Place, ref: string, id: string): Promise<boolean> {
  return serialised(place.commonDir, async () => {
    const name = [place.commonDir, ref, id].join("\0");
    if (madeAgain.has(name)) return false;
    const { code } = await tryChange(place, { args: ["update-ref", "--no-deref", "-m", PUT_BACK, ref, id, ""] });
    if (code !== 0) return false;
    noteMove(place, ref, id);
    madeAgain.add(name);
    return true;
  });
}

/**
 * Gives branches their names back that the agent of a worktree renamed: by git's own command, so that their settings, their logs
 * and the work trees that are on them come along.
 */
export async function unrename(
  place: Place,
  { agent, refs, own }: { agent: string; refs: Record<string, string>; own: string | null },
  now: Record<string, string>,
): Promise<{ ref: string; to: string }[]> {
  const undone: { ref: string; to: string }[] = [];
  for (const to of Object.keys(now).filter((name) => refs[name] === undefined && name.startsWith(HEADS))) {
    const names = movesSince(logOfRef(place, to), undefined).flatMap(({ by, why }) =>
      by === agent ? (RENAMED.exec(why)?.slice(1, 2) ?? []) : [],
    );
    const ref = names.find((name) => refs[name] !== undefined && now[name] === undefined);
    if (ref === undefined || ref === own) continue;
    const args = ["branch", "--move", "--", to.slice(HEADS.length), ref.slice(HEADS.length)];
    const { code } = await serialised(place.commonDir, () => tryChange(place, { args }));
    if (code === 0) undone.push({ ref, to });
  }
  return undone;
}

const HEADS = "refs/heads/";
