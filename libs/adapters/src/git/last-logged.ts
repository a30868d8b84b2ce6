import type { Place } from "./place.ts";
import { logOfHead, logOfRef, movesSince } from "./ref-log.ts";
import { isInAnyRef } from "./refs.ts";
import { failure, runGit } from "./run.ts";

/** The commit that git logged last for the HEAD of a work tree; null where it logged none, or the commit is gone. */
export async function lastCommit(place: Place): Promise<string | null> {
  const last = lastOf(logOfHead(place));
  if (last === null) return null;
  const call = { cwd: place.root, args: ["cat-file", "-e", `${last}^{commit}`] };
  const result = await runGit(call);
  // Who is stopped has not said that it is gone.
  if (result.end !== "exited") throw failure(call, result);
  return result.code === 0 ? last : null;
}

/** The same where HEAD was not on that branch, and no lasting ref holds the commit: with HEAD its only name is lost. */
export async function strayCommit(place: Place, ref: string): Promise<string | null> {
  // The branch may be lost as well, but its log is left.
  if (lastOf(logOfHead(place)) === lastOf(logOfRef(place, ref))) return null;
  const last = await lastCommit(place);
  return last === null || (await isInAnyRef(place, last)) ? null : last;
}

function lastOf(path: string): string | null {
  return movesSince(path, undefined).at(-1)?.to ?? null;
}
