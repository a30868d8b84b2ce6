import { agentAddress, isAgentAddress } from "./agent-mark.ts";
import { keepTree } from "./kept-trees.ts";
import { tryChange } from "./locks.ts";
import { atStake } from "./own-branch.ts";
import { isOwnMove, noteMove } from "./own-moves.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";
import { type LogEnd, type LoggedMove, logEnd, logOfHead, logOfRef, movesSince } from "./ref-log.ts";
import { headCommit, isAncestor } from "./refs.ts";
import { git } from "./run.ts";
import { listWorktrees } from "./worktree-list.ts";

/** Where all branches and this worktree stand, and how far the logs of their moves reach, as plain data. */
export interface BranchesThen {
  head: string | null;
  heads: Record<string, string>;
  logs: Record<string, LogEnd>;
}

/** What became of refs while an agent worked in one worktree, by full names. */
export interface StrangeMoves {
  /** Branches that the agent moved; where it had put them is kept. */
  putBack: { ref: string; kept: string }[];
  /** Branches that somebody else moved, or nobody knows who, and the command that undoes it. */
  leftAlone: { ref: string; before: string; after: string; undo: string }[];
  /** Branches that are gone with commits that no other ref holds. */
  gone: { ref: string; kept: string }[];
  /** Commits that somebody else made in this worktree, or left there. */
  found: { commit: string; kept: string }[];
}

export async function branchesNow(place: Place): Promise<BranchesThen> {
  const [heads, head] = await Promise.all([headsOf(place), headCommit(place)]);
  const paths = [logOfHead(place), ...Object.keys(heads).map((ref) => logOfRef(place, ref))];
  return { head, heads, logs: Object.fromEntries(paths.map((path) => [path, logEnd(path)])) };
}

/**
 * Puts branches back that the agent of this worktree moved since then. Git's own logs name whose git a move was: one that
 * does not carry the agent's name is a person's, or nobody can tell, and is left alone. Whatever would be lost is kept first.
 */
export async function putBackMoves(place: Place, then: BranchesThen, under: string): Promise<StrangeMoves> {
  const now = await headsOf(place);
  const strange: StrangeMoves = { putBack: [], leftAlone: [], gone: [], found: [] };
  for (const [ref, after] of Object.entries(now)) {
    if (ref === ownRef(place)) continue;
    const before = then.heads[ref];
    const moves = movesSince(logOfRef(place, ref), then.logs[logOfRef(place, ref)]);
    const target = beforeAgent(place, moves, after, before);
    if (target !== null) {
      const kept = target === after ? null : await putBack(place, ref, { target, after, under });
      if (kept !== null) strange.putBack.push({ ref, kept });
    } else if (before !== undefined && before !== after && isNews(place, ref, after, moves)) {
      strange.leftAlone.push({ ref, before, after, undo: await undoing(place, ref, before) });
    }
  }
  for (const [ref, before] of Object.entries(then.heads)) {
    if (now[ref] !== undefined || ref === ownRef(place) || isOwnMove(place, ref, null)) continue;
    const kept = await keepLost(place, then, `${under}/gone-`, before);
    if (kept !== null) strange.gone.push({ ref, kept });
  }
  for (const commit of await foreignCommits(place, then)) {
    const kept = await keepLost(place, then, `${under}/found-`, commit);
    if (kept !== null) strange.found.push({ commit, kept });
  }
  return strange;
}

/** Where a branch stood before the agent moved it, if the last word on it was the agent's; a branch that it made itself stays. */
function beforeAgent(place: Place, moves: LoggedMove[], after: string, before: string | undefined): string | null {
  const agent = agentAddress(place.root);
  if (moves.at(-1)?.by !== agent || moves.at(-1)?.to !== after) return null;
  const first = moves.findLastIndex(({ by }) => by !== agent) + 1;
  const from = moves[first]?.from ?? "";
  return NOWHERE.test(from) ? (before ?? null) : from;
}

const NOWHERE = /^0*$/;

/** Only while it still stands there: what somebody does meanwhile is not undone. */
async function putBack(
  place: Place,
  ref: string,
  { target, after, under }: { target: string; after: string; under: string },
): Promise<string | null> {
  const kept = `${under}/moved-${after.slice(0, 12)}`;
  await keepTree(place, kept, after);
  return serialised(place.commonDir, async () => {
    const args = ["update-ref", "--no-deref", "-m", "put back: an agent moved it", ref, target, after];
    const { code } = await tryChange(place, { args });
    if (code !== 0) return null;
    noteMove(place, ref, target);
    return kept;
  });
}

const told = new Map<string, string>();

/** Neither our own doing nor that of the agent of another loop, which that loop sees to; and loops side by side tell it once. */
function isNews(place: Place, ref: string, after: string, moves: LoggedMove[]): boolean {
  if (isOwnMove(place, ref, after) || isAgentAddress(moves.at(-1)?.by ?? "")) return false;
  const name = `${place.commonDir}\0${ref}`;
  if (told.get(name) === after) return false;
  told.set(name, after);
  return true;
}

/** Git moves a branch that is checked out only from within; this worktree is about to go back to its own. */
async function undoing(place: Place, ref: string, before: string): Promise<string> {
  const name = ref.replace(/^refs\/heads\//, "");
  const holder = (await listWorktrees(place)).find((one) => one.branch === name && one.path !== place.root);
  return holder === undefined ? `git branch -f ${name} ${before}` : `git -C ${holder.path} reset --keep ${before}`;
}

/** Newest first, so that one ref keeps a whole history. Commits of the agent's own are undone: we commit. */
async function foreignCommits(place: Place, then: BranchesThen): Promise<string[]> {
  const own = ownRef(place);
  const paths = [logOfHead(place), ...(own === null ? [] : [logOfRef(place, own)])];
  const moves = paths.flatMap((path) => movesSince(path, then.logs[path]));
  const others = moves.filter(({ by }) => !isAgentAddress(by)).map(({ to }) => to);
  const tips = (await atStake(place)).filter((tip) => tip !== then.head);
  const strange = await Promise.all(
    tips.map(async (tip) => ((await isByAgent(place, tip)) && !others.includes(tip) ? [] : [tip])),
  );
  const commits = [...strange.flat(), ...others.reverse()].filter((commit) => !NOWHERE.test(commit));
  return [...new Set(commits)];
}

async function isByAgent({ root }: Place, commit: string): Promise<boolean> {
  const args = ["log", "-1", "--no-show-signature", "--format=%ce", "--end-of-options", commit];
  return isAgentAddress((await git({ cwd: root, args })).trim());
}

/** Keeps a commit that nothing would hold once this worktree is put back to where it stood. */
async function keepLost(place: Place, then: BranchesThen, prefix: string, commit: string): Promise<string | null> {
  if (commit === then.head) return null;
  if (then.head !== null && (await isAncestor(place, commit, then.head))) return null;
  const args = ["for-each-ref", "--count=2", "--format=%(refname)", "--contains", commit];
  const holders = (await git({ cwd: place.root, args })).split("\n").filter(Boolean);
  if (holders.some((ref) => ref !== ownRef(place))) return null;
  const kept = prefix + commit.slice(0, 12);
  await keepTree(place, kept, commit);
  return kept;
}

function ownRef({ own }: Place): string | null {
  return own?.branch == null ? null : `refs/heads/${own.branch}`;
}

async function headsOf({ root }: Place): Promise<Record<string, string>> {
  const listed = await git({ cwd: root, args: ["for-each-ref", "--format=%(refname) %(objectname)", "refs/heads/"] });
  const lines = listed.split("\n").filter(Boolean);
  return Object.fromEntries(lines.map((line) => line.split(" ") as [string, string]));
}
