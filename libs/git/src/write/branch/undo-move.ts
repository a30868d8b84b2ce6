import { GitError } from "../../run/errors.ts";
import { changeGit } from "../../run/locks.ts";
import { serialised } from "../../run/queue.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { treesOn } from "./checked-out.ts";
import { forget, type MoveNote, moveFiles, noteOf } from "./follow-branch.ts";
import { checkWay, stagedOn, telling, type Way } from "./follow-check.ts";
import { moveRefAfter } from "./held-ref.ts";

interface HalfMoved {
  tree: RepoLocation;
  note: MoveNote;
}

/**
 * Puts files back that a killed process had moved for a branch which itself never moved, in every work tree that has it
 * checked out. A file that a person has changed since stays as it is, and nothing of ours stays staged for it.
 */
export function undoMove(location: RepoLocation, branch: string): Promise<void> {
  return serialised(location.commonDir, async () => {
    const ref = branch.startsWith("refs/") ? branch : `refs/heads/${branch}`;
    for (const half of await halfMoved(location, ref)) {
      const { from } = half.note;
      // Held where it is, so that nobody commits in between. One that stands elsewhere has arrived, or somebody else moved it.
      await moveRefAfter(half.tree, { ref, from, to: from, reason: "stays" }, () => goBack(half));
      await forget([half.tree]);
    }
  });
}

async function halfMoved(location: RepoLocation, ref: string): Promise<HalfMoved[]> {
  const found: HalfMoved[] = [];
  for (const tree of await treesOn(location, ref)) {
    const note = readNote(await noteOf(tree));
    if (note?.ref === ref) found.push({ tree, note });
  }
  return found;
}

/** To the end first: only from there it is known which files are somebody else's. */
async function goBack({ tree, note: { from, tree: target } }: HalfMoved): Promise<void> {
  const [on, back] = [
    { from, to: target, start: "begun" },
    { from: target, to: from, start: "begun" },
  ] as const;
  for (const way of [on, back]) if ((await moveOthers(tree, way)) === "stuck") break;
  const ours = await stagedOn(tree, { from, to: target });
  const undone = ours.map((entry) => ({ ...entry, newMode: entry.oldMode, newBlob: entry.oldBlob }));
  if (undone.length > 0) await changeGit(tree, telling(undone));
}

/** Moves all files but those that a person has changed. */
async function moveOthers(tree: RepoLocation, way: Way): Promise<"moved" | "stuck"> {
  const check = await checkWay(tree, way);
  const theirs = new Set([...check.changed, ...check.strangers]);
  const isFree = (path: string) => !theirs.has(path);
  const free = ({ path }: { path: string }) => isFree(path);
  const { coming, settled, torn } = check;
  const others = { coming: coming.filter(free), settled: settled.filter(free), torn: torn.filter(isFree) };
  try {
    await moveFiles(tree, { ...check, ...others });
    return "moved";
  } catch (error) {
    // Theirs may stand where another file has to go.
    if (error instanceof GitError && (theirs.size > 0 || error.kind === "in-the-way")) return "stuck";
    throw error;
  }
}

function readNote(text: string | null): MoveNote | null {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
