import type { Place } from "./place.ts";
import { headCommit } from "./refs.ts";
import { git } from "./run.ts";

/** Files and folders that are neither tracked nor ignored; a folder that holds nothing else is given as one, with a slash at its end. */
export async function untracked({ root }: Place): Promise<string[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory", "-z"];
  return (await git({ cwd: root, args })).split("\0").filter(Boolean);
}

/** Whether a file is part of what will be committed anyway. */
export async function tracks({ root }: Place, path: string): Promise<boolean> {
  return (await git({ cwd: root, args: ["ls-files", "-z", "--", `:(literal)${path}`] })) !== "";
}

/** Whether a path comes from the repository, by the index or the last commit: itself, or a link or submodule on the way to it. */
export async function holds(place: Place, path: string): Promise<boolean> {
  if (leadsTo(await pathsOf(place, ["ls-files", "-z"], path), path)) return true;
  if ((await headCommit(place)) === null) return false;
  const unstaged = ["diff-index", "--cached", ...PLAIN, "HEAD"];
  return leadsTo(await pathsOf(place, unstaged, path), path);
}

/** Whether a path is another one in two commits or trees: itself, or a link or submodule on the way to it. */
export async function touches(place: Place, { base, head }: TwoTrees, path: string): Promise<boolean> {
  return leadsTo(await pathsOf(place, ["diff-tree", "-r", ...PLAIN, base, head], path), path);
}

type TwoTrees = Record<"base" | "head", string>;

const PLAIN = ["-z", "--name-only", "--no-renames", "--ignore-submodules=none"];

async function pathsOf({ root }: Place, command: string[], path: string): Promise<string[]> {
  const [first = ""] = path.split("/");
  const listed = await git({ cwd: root, args: [...command, "--", `:(top,icase,literal)${first}`] });
  return listed.split("\0").filter(Boolean);
}

/** Many file systems open a file whatever the case of its name. */
function leadsTo(held: readonly string[], path: string): boolean {
  const parts = path.toLowerCase().split("/");
  const ways = parts.map((_, at) => parts.slice(0, at + 1).join("/"));
  return held.some((one) => ways.includes(one.toLowerCase()));
}
