import { agentAddress, isAgentAddress } from "./agent-mark.ts";
import { agentsMoves, beforeAgents, NOWHERE, PUT_BACK } from "./agent-moves.ts";
import { keepTree } from "./kept-trees.ts";
import { tryChange } from "./locks.ts";
import { atStake } from "./own-branch.ts";
import { isOwnMove, noteMove } from "./own-moves.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";
import { type LogEnd, logEnd, logOfHead, logOfRef, movesSince } from "./ref-log.ts";
import { headCommit, isAncestor, refValue } from "./refs.ts";
import { git } from "./run.ts";
import { listWorktrees } from "./worktree-list.ts";

/** Where all branches and the worktree of an agent stand, and how far the logs of their moves reach, as plain data. */
export interface BranchesThen {
  root: string;
  /** The address by which git's logs name the agent. */
  agent: string;
  /** The worktree's own branch by its full name. */
  own: string | null;
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
  const at = { root: place.root, agent: agentAddress(place.root), own: ownRef(place) };
  return { ...at, head, heads, logs: Object.fromEntries(paths.map((path) => [path, logEnd(path)])) };
}

/**
 * Puts branches back that the agent of this worktree moved since then. Git's own logs name whose git a move was: one that
 * does not carry an agent's name is a person's, or nobody can tell, and is left alone. Whatever would be lost is kept first.
 */
export async function putBackMoves(place: Place, then: BranchesThen, under: string): Promise<StrangeMoves> {
  const strange: StrangeMoves = { ...(await movedBranches(place, then, under)), found: [] };
  for (const commit of await foreignCommits(place, then)) {
    const kept = await keepLost(place, then, `${under}/found-`, commit);
    if (kept !== null) strange.found.push({ commit, kept });
  }
  return strange;
}

/**
 * The same from any work tree, for an agent whose process was killed. Since then people may have gone on: what they did is
 * told only where it is on top of a move of the agent's, and their commits in the worktree are left to whoever works there next.
 */
export async function putBackLeft(place: Place, then: BranchesThen, under: string): Promise<StrangeMoves> {
  const { leftAlone, ...moved } = await movedBranches(place, then, under);
  const byAgent = (ref: string) => movesSince(logOfRef(place, ref), then.logs[logOfRef(place, ref)]).some(isBy(then));
  return { ...moved, leftAlone: leftAlone.filter(({ ref }) => byAgent(ref)), found: [] };
}

async function movedBranches(place: Place, then: BranchesThen, under: string): Promise<Omit<StrangeMoves, "found">> {
  const now = await headsOf(place);
  const strange: Omit<StrangeMoves, "found"> = { putBack: [], leftAlone: [], gone: [] };
  for (const [ref, after] of Object.entries(now)) {
    const before = then.heads[ref];
    const moves = movesSince(logOfRef(place, ref), then.logs[logOfRef(place, ref)]);
    if (ref === then.own || (before === after && moves.length === 0)) continue;
    const kept = moves.some(isBy(then)) ? await undoAgents(place, then, { ref, after, under }) : null;
    if (kept !== null) strange.putBack.push({ ref, kept });
    else if (before !== undefined && before !== after && isNews(place, ref, after))
      strange.leftAlone.push({ ref, before, after, undo: await undoing(place, ref, before) });
  }
  for (const [ref, before] of Object.entries(then.heads)) {
    if (now[ref] !== undefined || ref === then.own || isOwnMove(place, ref, null)) continue;
    const kept = await keepLost(place, then, `${under}/gone-`, before);
    if (kept !== null) strange.gone.push({ ref, kept });
  }
  return strange;
}

const isBy =
  ({ agent }: BranchesThen) =>
  ({ by }: { by: string }) =>
    by === agent;

const TRIES = 5;

/**
 * Undoes what the agent did to a branch, together with what others of its kind did before and after it: none of their commits
 * is where it belongs. Gives where the agent's own commit is kept; null where the last word was a person's, or it is in order.
 */
async function undoAgents(
  place: Place,
  then: BranchesThen,
  { ref, after: found, under }: { ref: string; after: string; under: string },
): Promise<string | null> {
  let after: string | null = found;
  for (let tries = 0; tries < TRIES && after !== null; tries += 1) {
    // From the beginning: another agent may have moved it before this one began.
    const moves = agentsMoves(movesSince(logOfRef(place, ref), undefined));
    const own = moves.findLast(isBy(then));
    const target = beforeAgents(moves, then.heads[ref]);
    if (own === undefined || moves.at(-1)?.to !== after || target === null || own.to === target) return null;
    const kept = await keepMoved(place, under, own.to);
    // The loop of another agent may have put it back already.
    if (target === after) return kept;
    if (after !== own.to) await keepMoved(place, under, after);
    if (await putBack(place, ref, { target, after })) return kept;
    // Somebody moved it meanwhile, and what they did is looked at first.
    after = await refValue(place, ref);
  }
  return null;
}

async function keepMoved(place: Place, under: string, commit: string): Promise<string> {
  const kept = `${under}/moved-${commit.slice(0, 12)}`;
  await keepTree(place, kept, commit);
  return kept;
}

/** Only while it still stands there: what somebody does meanwhile is not undone. */
function putBack(place: Place, ref: string, { target, after }: { target: string; after: string }): Promise<boolean> {
  return serialised(place.commonDir, async () => {
    const args = ["update-ref", "--no-deref", "-m", PUT_BACK, ref, target, after];
    const { code } = await tryChange(place, { args });
    if (code === 0) noteMove(place, ref, target);
    return code === 0;
  });
}

const told = new Map<string, string>();

/** Neither our own doing nor that of the agent of another loop, which that loop sees to; and loops side by side tell it once. */
function isNews(place: Place, ref: string, after: string): boolean {
  const byAgents = agentsMoves(movesSince(logOfRef(place, ref), undefined));
  if (isOwnMove(place, ref, after) || byAgents.at(-1)?.to === after) return false;
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
  const paths = [logOfHead(place), ...(then.own === null ? [] : [logOfRef(place, then.own)])];
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
  if (holders.some((ref) => ref !== then.own)) return null;
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
