import { existsSync } from "node:fs";
import { basename } from "node:path";
import type { Repo, StrangeMoves } from "@anneal/adapters/git";
import type { Usage } from "@anneal/types";
import { type AttemptNote, forgetAttempt, leftAttempts, noteAttempt } from "./attempt-note.ts";
import { AgentFailed } from "./errors.ts";
import type { FoundCommits } from "./found-commits.ts";

/** Lets an agent work that may write in its worktree, and sees to what became of branches, tags and the stash meanwhile. */
export async function attempt<T extends { usage: Usage }>(
  { repo, found }: { repo: Repo; found?: FoundCommits | undefined },
  work: () => Promise<T>,
): Promise<T> {
  // Else what an earlier agent did here would be taken for how things were.
  const left = leftAttempts(repo, repo.root);
  for (const path of left.damaged) found?.tell(damagedLine(path));
  if (left.notes.length > 0) await settleSettings(repo, left.notes, (_, message) => found?.tell(message));
  for (const note of left.notes) await settle(repo, note, (message) => found?.tell(message));
  const { thisOwner } = await import("@anneal/adapters/sandbox");
  const then = await repo.branchesNow();
  const { item = "", project = repo.root, under = "refs/anneal/kept" } = found ?? {};
  noteAttempt(repo, { item, under, project, owner: thisOwner(), then });
  const inOrder = async () => {
    const strange = await repo.putBackMoves(then, under);
    for (const line of linesOf(strange)) found?.tell(line);
    forgetAttempt(repo, then.root);
    return movedBy(strange);
  };
  let answer: T;
  try {
    answer = await work();
  } catch (error) {
    for (const moved of await inOrder()) found?.tell(`the agent moved ${moved}; it was put back`);
    throw error;
  }
  const moved = await inOrder();
  if (moved.length === 0) return answer;
  const [what, were] = [moved.join(", "), moved.length === 1 ? "was" : "were"];
  throw new AgentFailed(`the agent moved ${what}, which ${were} put back`, answer);
}

/**
 * Undoes what agents did to branches whose process was killed before it could see to that. For an owner, before anything
 * else: whatever comes next would take it for a person's doing.
 */
export async function settleLeftAttempts(repo: Repo, tell: (item: string, message: string) => void): Promise<void> {
  const { notes, damaged } = leftAttempts(repo);
  const ours: AttemptNote[] = [];
  for (const note of notes) if (await isOurs(repo, note)) ours.push(note);
  await settleSettings(repo, ours, tell);
  for (const path of damaged) tell("attempts", damagedLine(path));
  for (const note of ours) {
    await settle(repo, note, (message) => tell(note.item, message)).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error);
      tell(note.item, `what its agent did to branches could not be looked at, and is the next time: ${why}`);
    });
  }
}

/**
 * Whether nobody else sees to it: the owner of its project does, which is us where we are that. The notes of a project that
 * was moved or removed are whosever finds them, unless its process may still live.
 */
async function isOurs(repo: Repo, { project, owner }: AttemptNote): Promise<boolean> {
  const { isGone, livesBeside } = await import("@anneal/adapters/sandbox");
  return project === repo.root ? !livesBeside(owner) : !existsSync(project) && isGone(owner);
}

/** Before any other git: one that runs with settings of an agent's starts programs of its. */
async function settleSettings(
  { commonDir }: Repo,
  notes: readonly AttemptNote[],
  tell: (item: string, message: string) => void,
): Promise<void> {
  const { livesBeside, putBackSettings, takeTold } = await import("@anneal/adapters/sandbox");
  const items = new Map(notes.map(({ then, item }) => [then.root, item]));
  putBackSettings(commonDir, ({ tree, owner }) => items.has(tree) && !livesBeside(owner));
  for (const { tree, said } of takeTold(commonDir)) tell(items.get(tree) ?? basename(tree), said);
}

async function settle(repo: Repo, { under, then }: AttemptNote, tell: (message: string) => void): Promise<void> {
  const { endLeftovers } = await import("@anneal/adapters/sandbox");
  endLeftovers(then.root);
  const strange = await repo.putBackLeft(then, under);
  for (const line of linesOf(strange)) tell(line);
  for (const moved of movedBy(strange)) tell(`an agent that was cut off had moved ${moved}; it was put back`);
  forgetAttempt(repo, then.root);
}

function movedBy({ putBack, renamed }: StrangeMoves): string[] {
  return [
    ...putBack.map(({ ref, kept }) => `${ref} (where the agent had put it is kept as ${kept})`),
    ...renamed.map(({ ref, to }) => `${ref} (the agent had named it ${to})`),
  ];
}

function linesOf({ leftAlone, restored, gone, lost, stash, found }: StrangeMoves): string[] {
  return [
    ...leftAlone.map(
      ({ ref, before, after, undo }) =>
        `the ${nameOf(ref)} went from ${idOf(before)} to ${idOf(after)} while the agent worked; that was not the agent's git, so it stays; this undoes it: ${undo}`,
    ),
    // Who removed something cannot be told; what it held is kept in any case.
    ...restored.map(
      ({ ref, undo }) =>
        `the ${nameOf(ref)} was removed while an agent worked; it is there again; where that was you, remove it once more: ${undo}`,
    ),
    ...gone.map(({ ref, before, kept }) => {
      const at = kept === null ? "other refs hold its commits" : `it is kept as ${kept}`;
      return `the ${nameOf(ref)} was removed while an agent worked; ${at}: ${again(ref, kept ?? before)}`;
    }),
    ...lost.map(
      ({ ref, before, kept }) =>
        `the ${nameOf(ref)} no longer holds ${idOf(before)}, where it stood before an agent that was cut off, and nor does any other; it is kept as ${kept}`,
    ),
    ...stash.map(
      ({ why, kept }) =>
        `"${why}" left the stash while an agent worked, and may be in its worktree; it is kept as ${kept}; this puts it back: git stash store ${kept}`,
    ),
    ...found.map(
      ({ commit, kept }) =>
        `somebody committed in its worktree while the agent worked (${idOf(commit)}); the commit is kept as ${kept}, and files of it that are still there count as the agent's work`,
    ),
  ];
}

function damagedLine(path: string): string {
  return `what an agent began with was not noted whole, so its moves of branches and tags cannot be undone: see git reflog; the note is now ${path}`;
}

const KINDS = { "refs/heads/": "branch", "refs/tags/": "tag", "refs/notes/": "ref of notes" };

function nameOf(ref: string): string {
  const [prefix, kind] = Object.entries(KINDS).find(([one]) => ref.startsWith(one)) ?? ["", "ref"];
  return `${kind} ${ref.slice(prefix.length)}`;
}

function again(ref: string, commit: string): string {
  return ref.startsWith("refs/heads/") ? `git branch ${ref.slice(11)} ${commit}` : `git update-ref ${ref} ${commit}`;
}

const idOf = (commit: string) => commit.slice(0, 12);
