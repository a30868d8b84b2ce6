import { treesOn } from "./checked-out.ts";
import { GitError } from "./errors.ts";
import { forget, type MoveNote, moveFiles, noteOf } from "./follow-branch.ts";
import { checkWay } from "./follow-check.ts";
import { moveRefAfter } from "./held-ref.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";

interface HalfMoved {
  tree: Place;
  note: MoveNote;
}

/**
 * Puts files back that a killed process had moved for a branch which itself never moved, in every work tree that has it
 * checked out. Where a person has changed one of them since, they are all left as they are.
 */
export function undoMove(place: Place, branch: string): Promise<void> {
  return serialised(place.commonDir, async () => {
    const ref = branch.startsWith("refs/") ? branch : `refs/heads/${branch}`;
    for (const half of await halfMoved(place, ref)) {
      const { from } = half.note;
      // Held where it is, so that nobody commits in between. One that stands elsewhere has arrived, or somebody else moved it.
      await moveRefAfter(half.tree, { ref, from, to: from, reason: "stays" }, () => goBack(half));
      await forget([half.tree]);
    }
  });
}

async function halfMoved(place: Place, ref: string): Promise<HalfMoved[]> {
  const found: HalfMoved[] = [];
  for (const tree of await treesOn(place, ref)) {
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
  for (const way of [on, back]) {
    const check = await checkWay(tree, way);
    if (check.changed.length + check.strangers.length > 0) return;
    try {
      await moveFiles(tree, check);
    } catch (error) {
      if (error instanceof GitError && error.kind === "in-the-way") return;
      throw error;
    }
  }
}

function readNote(text: string | null): MoveNote | null {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
