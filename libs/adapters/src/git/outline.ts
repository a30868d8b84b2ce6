import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { isOwnTemporary } from "../files/atomic.ts";
import { isOwnWrite, printOf } from "../files/own-writes.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";
import { git } from "./run.ts";
import { type Snapshot, steering, strayed } from "./snapshot.ts";
import { contentsOf, type Entry, gitSettings } from "./steering.ts";

/**
 * How a work tree differs from its last commit, with what is begun in it. Commits of ours that move its branch leave this
 * as it is, so that it can be compared while other loops go on.
 */
export function outline(place: Place): Promise<Snapshot> {
  // Not in the middle of a move of our own.
  return serialised(place.commonDir, async () => {
    const [changed, hidden, settings] = await Promise.all([
      changedFiles(place),
      hiddenFiles(place),
      fingerprint(place, SETTINGS),
    ]);
    return Object.fromEntries([...changed, ...hidden, [SETTINGS, settings], ...stateOf(place)]);
  });
}

/** Names what differs now, sorted. */
export async function outlineChanges(place: Place, before: Snapshot): Promise<string[]> {
  const steered = strayed(place, steering(before), Object.fromEntries(stateOf(place)));
  if (steered.length > 0) return steered;
  return strayed(place, before, await outline(place)).filter((name) => !isOurs(join(place.root, name)));
}

/** States of epics, stories and units stand in files of the user's own tree, and other loops go on meanwhile. */
function isOurs(path: string): boolean {
  return isOwnTemporary(path) || isOwnWrite(path);
}

function stateOf(place: Place): Entry[] {
  const begun = BEGUN.flatMap((name) => contentsOf(join(place.gitDir, name), place.commonDir));
  return [...gitSettings(place), ...begun];
}

/** By which the user says whom to trust, where git does not know it. */
const SETTINGS = ".automaker/settings.json";

const BEGUN = [
  ...["HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "AUTO_MERGE"],
  ...["rebase-merge", "rebase-apply", "sequencer"],
];

/** What we write ourselves while loops run. */
const OURS = [".automaker/", ".worktrees/"];

async function changedFiles(place: Place): Promise<Entry[]> {
  const how = ["--porcelain=v1", "-z", "--no-renames", "--untracked-files=all", "--ignored=matching"];
  const listed = (await git({ cwd: place.root, args: ["status", ...how] })).split("\0").filter(Boolean);
  return await printed(
    place,
    listed.map((line) => ({ state: line.slice(0, 2), path: line.slice(3) })),
  );
}

/** Files that git was told not to look at do not show in its status. */
async function hiddenFiles(place: Place): Promise<Entry[]> {
  const listed = (await git({ cwd: place.root, args: ["ls-files", "-v", "-z"] })).split("\0").filter(Boolean);
  const hidden = listed.filter((line) => !line.startsWith("H "));
  const entries = await printed(
    place,
    hidden.map((line) => ({ state: line.slice(0, 1), path: line.slice(2) })),
  );
  return entries.map(([path, print]) => [`hidden ${path}`, print]);
}

async function printed(place: Place, files: { state: string; path: string }[]): Promise<Entry[]> {
  const theirs = files.filter(({ path }) => !OURS.some((folder) => path.startsWith(folder)));
  return await Promise.all(
    theirs.map(async ({ state, path }): Promise<Entry> => {
      // A folder that is ignored as a whole is for what programs build, and changes all the time.
      if (path.endsWith("/")) return [path, state];
      return [path, `${state} ${await fingerprint(place, path)}`];
    }),
  );
}

async function fingerprint({ root }: Place, path: string): Promise<string> {
  return printOf(await lstat(join(root, path), { bigint: true }).catch(() => null));
}
