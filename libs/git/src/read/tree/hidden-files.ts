import { lstatSync } from "node:fs";
import { join } from "node:path";
import type { RepoLocation } from "../../run/repo-location.ts";
import { type GitCall, git } from "../../run/run.ts";
import { indexTraits } from "./index-file.ts";

/** Lets git look at files in a workspace that somebody told it to ignore: an agent's edits there are its work too. */
export async function unhide(location: RepoLocation, env: Record<string, string>): Promise<void> {
  const { root } = location;
  // What a sparse checkout leaves out is not on the disk, and not deleted for that.
  const isThere = (path: string) => lstatSync(join(root, path), { throwIfNoEntry: false }) !== undefined;
  for (const call of await unhiding(location, { env, leftOut: isThere })) await git({ cwd: root, ...call, env });
}

interface Unhiding {
  env?: Record<string, string>;
  /** Which of those that a sparse checkout may leave out; all of them by default. */
  leftOut?: (path: string) => boolean;
}

/** The calls that make git look at all files again; none where it does. */
export async function unhiding(location: RepoLocation, { env = {}, leftOut = () => true }: Unhiding = {}) {
  if (location.own === undefined || indexTraits(location, env.GIT_INDEX_FILE)?.hidden === false) return [];
  const listed = await git({ cwd: location.root, args: ["ls-files", "-v", "-z"], env });
  const lines = listed.split("\0").filter(Boolean);
  const named = (isIt: (letter: string) => boolean) =>
    lines.filter((line) => isIt(line.charAt(0))).map((line) => line.slice(2));
  const flags = {
    "--no-assume-unchanged": named((letter) => letter !== letter.toUpperCase()),
    "--no-skip-worktree": named((letter) => letter.toUpperCase() === "S").filter(leftOut),
  };
  return Object.entries(flags).flatMap(([flag, paths]): Pick<GitCall, "args" | "input">[] => {
    const input = paths.map((path) => `${path}\0`).join("");
    return paths.length === 0 ? [] : [{ args: ["update-index", flag, "-z", "--stdin"], input }];
  });
}
