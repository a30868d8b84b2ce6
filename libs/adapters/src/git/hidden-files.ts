import { lstatSync } from "node:fs";
import { join } from "node:path";
import { indexTraits } from "./index-file.ts";
import type { Place } from "./place.ts";
import { git } from "./run.ts";

/** Lets git look at files in a worktree of ours that somebody told it not to look at: an agent's edits there are its work too. */
export async function unhide(place: Place, env: Record<string, string>): Promise<void> {
  if (place.own === undefined || indexTraits(place, env.GIT_INDEX_FILE)?.hidden === false) return;
  const { root } = place;
  const listed = (await git({ cwd: root, args: ["ls-files", "-v", "-z"], env })).split("\0").filter(Boolean);
  const named = (isIt: (letter: string) => boolean) =>
    listed.filter((line) => isIt(line.charAt(0))).map((line) => line.slice(2));
  const assumed = named((letter) => letter !== letter.toUpperCase());
  // What a sparse checkout leaves out is not on the disk, and not deleted for that.
  const leftOut = named((letter) => letter.toUpperCase() === "S").filter((path) => isThere(join(root, path)));
  const tell = async (flag: string, paths: string[]) => {
    const input = paths.map((path) => `${path}\0`).join("");
    if (paths.length > 0) await git({ cwd: root, args: ["update-index", flag, "-z", "--stdin"], input, env });
  };
  await tell("--no-assume-unchanged", assumed);
  await tell("--no-skip-worktree", leftOut);
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
