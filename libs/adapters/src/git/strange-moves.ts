import { agentAddress, isAgentAddress } from "./agent-mark.ts";
import { agentsMoves, beforeAgents, NOWHERE, PUT_BACK } from "./agent-moves.ts";
import { keepTree } from "./kept-trees.ts";
import { tryChange } from "./locks.ts";
import { keepLost, makeAgain, refsNow, unrename } from "./lost-refs.ts";
import { atStake } from "./own-branch.ts";
import { isOwnMove, noteMove } from "./own-moves.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";
import { type LogEnd, logEnd, logOfHead, logOfRef, movesSince } from "./ref-log.ts";
import { headCommit, refValue } from "./refs.ts";
import { git } from "./run.ts";
import { type Stashed, stashNow } from "./stash.ts";
import { listWorktrees } from "./worktree-list.ts";

/** Where all branches, tags and notes and the worktree of an agent stand, and how far the logs of their moves reach, as plain data. */
export interface BranchesThen {
  root: string;
  /** The address by which git's logs name the agent. */
  agent: string;
  /** The worktree's own branch by its full name. */
  own: string | null;
  head: string | null;
  refs: Record<string, string>;
  logs: Record<string, LogEnd>;
  /** Oldest first. */
  stash: Stashed[];
}

/** What became of refs while an agent worked in one worktree, by full names. */
export interface StrangeMoves {
  /** Refs that the agent moved; where it had put them is kept. */
  putBack: { ref: string; kept: string }[];
  /** Branches that the agent gave another name; they have their own again. */
  renamed: { ref: string; to: string }[];
  /** Tags and notes that were gone and are there again, and the command that undoes it. */
  restored: { ref: string; undo: string }[];
  /** Refs that somebody else moved, or nobody knows who, and the command that undoes it. */
  leftAlone: { ref: string; before: string; after: string; undo: string }[];
  /** Refs that are gone, and where their commits are kept; null where another ref holds them. */
  gone: { ref: string; before: string; kept: string | null }[];
  /** Refs whose commit was in no ref any more once the agent was cut off, whoever moved them. */
  lost: { ref: string; before: string; kept: string }[];
  /** Entries that left the stash. */
  stash: { why: string; kept: string }[];
  /** Commits that somebody else made in this worktree, or left there. */
  found: { commit: string; kept: string }[];
}

export async function branchesNow(place: Place): Promise<BranchesThen> {
  const [refs, head] = await Promise.all([refsNow(place), headCommit(place)]);
  const paths = [logOfHead(place), ...Object.keys(refs).map((ref) => logOfRef(place, ref))];
  // Most tags have no log, and there may be thousands of them.
  const logs = paths.map((path) => [path, logEnd(path)] as const).filter(([, { size }]) => size > 0);
  const at = { root: place.root, agent: agentAddress(place.root), own: ownRef(place) };
  return { ...at, head, refs, logs: Object.fromEntries(logs), stash: stashNow(place) };
}

/**
 * Puts refs back that the agent of this worktree moved since then. Git's own logs name whose git a move was: one that
 * does not carry an agent's name is a person's, or nobody can tell, and is left alone. Whatever would be lost is kept first.
 */
export async function putBackMoves(place: Place, then: BranchesThen, under: string): Promise<StrangeMoves> {
  const moved = await movedRefs(place, then, under);
  const found: StrangeMoves["found"] = [];
  for (const commit of await foreignCommits(place, then)) {
    const kept = await keepLost(place, then, `${under}/found-`, commit);
    if (kept !== null) found.push({ commit, kept });
  }
  return { ...moved, lost: [], found };
}

/**
 * The same from any work tree, for an agent whose process was killed. Since then people may have gone on: what they did is
 * told only where it is on top of a move of the agent's or leaves a commit in no ref, and their commits in the worktree are
 * left to whoever works there next.
 */
export async function putBackLeft(place: Place, then: BranchesThen, under: string): Promise<StrangeMoves> {
  const { leftAlone, gone, ...moved } = await movedRefs(place, then, under);
  const byAgent = (ref: string) => movesSince(logOfRef(place, ref), then.logs[logOfRef(place, ref)]).some(isBy(then));
  const lost: StrangeMoves["lost"] = [];
  const now = await refsNow(place);
  for (const [ref, before] of Object.entries(then.refs)) {
    if (ref === then.own || now[ref] === before) continue;
    // The worktree may be gone by now, and its head with it.
    const kept = await keepLost(place, { own: then.own, head: null }, `${under}/lost-`, before);
    if (kept !== null) lost.push({ ref, before, kept });
  }
  const told = {
    leftAlone: leftAlone.filter(({ ref }) => byAgent(ref)),
    gone: gone.filter(({ kept }) => kept !== null),
  };
  return { ...moved, ...told, lost, found: [] };
}

async function movedRefs(
  place: Place,
  then: BranchesThen,
  under: string,
): Promise<Omit<StrangeMoves, "found" | "lost">> {
  const found = await refsNow(place);
  const renamed = await unrename(place, then, found);
  const now = renamed.length === 0 ? found : await refsNow(place);
  const putBack: StrangeMoves["putBack"] = [];
  const leftAlone: StrangeMoves["leftAlone"] = [];
  for (const [ref, after] of Object.entries(now)) {
    const before = then.refs[ref];
    const moves = movesSince(logOfRef(place, ref), then.logs[logOfRef(place, ref)]);
    if (ref === then.own || (before === after && moves.length === 0)) continue;
    const kept = moves.some(isBy(then)) ? await undoAgents(place, then, { ref, after, under }) : null;
    if (kept !== null) putBack.push({ ref, kept });
    else if (before !== undefined && before !== after && isNews(place, ref, after))
      leftAlone.push({ ref, before, after, undo: await undoing(place, ref, before) });
  }
  const away = Object.entries(then.refs).filter(([ref]) => now[ref] === undefined);
  return {
    renamed,
    putBack,
    leftAlone,
    ...(await goneRefs(place, then, { under, away })),
    stash: await goneStash(place, then, under),
  };
}

/** Whoever removed it: git removes the log of a ref along with it. */
async function goneRefs(
  place: Place,
  then: BranchesThen,
  { under, away }: { under: string; away: [string, string][] },
): Promise<Pick<StrangeMoves, "gone" | "restored">> {
  const gone: StrangeMoves["gone"] = [];
  const restored: StrangeMoves["restored"] = [];
  for (const [ref, before] of away) {
    if (ref === then.own || isOwnMove(place, ref, null)) continue;
    const isBranch = ref.startsWith("refs/heads/");
    if (!isBranch && (await makeAgain(place, ref, before))) {
      const undo = ref.startsWith("refs/tags/") ? `git tag -d ${ref.slice(10)}` : `git update-ref -d ${ref}`;
      restored.push({ ref, undo });
      continue;
    }
    const kept = await keepLost(place, then, `${under}/gone-`, before);
    if (kept !== null || (isBranch && isNews(place, ref, ""))) gone.push({ ref, before, kept });
  }
  return { gone, restored };
}

/** Kept, not put back: people pop their own entries while agents work, and nothing tells whose git it was. */
async function goneStash(place: Place, then: BranchesThen, under: string): Promise<StrangeMoves["stash"]> {
  const there = new Set(stashNow(place).map(({ commit }) => commit));
  const gone: StrangeMoves["stash"] = [];
  for (const { commit, why } of then.stash.filter((one) => !there.has(one.commit))) {
    const kept = await keepLost(place, then, `${under}/stash-`, commit);
    if (kept !== null) gone.push({ why, kept });
  }
  return gone;
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
    const target = beforeAgents(moves, then.refs[ref]);
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
  if (!ref.startsWith("refs/heads/")) return `git update-ref ${ref} ${before}`;
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

function ownRef({ own }: Place): string | null {
  return own?.branch == null ? null : `refs/heads/${own.branch}`;
}
