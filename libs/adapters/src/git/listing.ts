import { Newest } from "./newest.ts";
import type { Place } from "./place.ts";
import { headCommit } from "./refs.ts";
import { git } from "./run.ts";
import { indexStamp } from "./staged.ts";

/** Files and folders that are neither tracked nor ignored; a folder that holds nothing else is given as one, with a slash at its end. */
export async function untracked({ root }: Place): Promise<string[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory", "-z"];
  return (await git({ cwd: root, args })).split("\0").filter(Boolean);
}

/** The paths of all files of a commit or tree. */
export async function filesIn({ root }: Place, commitOrTree: string): Promise<string[]> {
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commitOrTree];
  return (await git({ cwd: root, args })).split("\0").filter(Boolean);
}

/** Whether a file is part of what will be committed anyway. */
export async function tracks({ root }: Place, path: string): Promise<boolean> {
  return (await git({ cwd: root, args: ["ls-files", "-z", "--", `:(literal)${path}`] })) !== "";
}

/** Whether a path comes from the repository, by the index or the last commit: itself, or a link or submodule on the way to it. */
export async function holds(place: Place, path: string): Promise<boolean> {
  const { staged, committed } = await held(place, [path]);
  return staged.length + committed.length > 0;
}

/** What of a repository some paths are, or lead over. */
export interface Held {
  staged: string[];
  /** Only in the last commit: somebody took it out of the index. */
  committed: string[];
}

/** What was found, by place and paths, with the stamp of the index and the last commit that it holds for. */
const knownHeld = new Newest<{ stands: string; found: Held }>(100);

/** A path with a slash at its end is a folder with all that is in it. */
export async function held(place: Place, paths: readonly string[]): Promise<Held> {
  const stands = `${await indexStamp(place)} ${await headCommit(place)}`;
  const name = [place.gitDir, ...paths].join("\0");
  const known = knownHeld.get(name);
  if (known?.stands === stands) return known.found;
  const found = await heldNow(place, paths);
  knownHeld.set(name, { stands, found });
  return found;
}

async function heldNow(place: Place, paths: readonly string[]): Promise<Held> {
  const staged = onWay(await pathsOf(place, ["ls-files", "-z"], paths), paths);
  if ((await headCommit(place)) === null) return { staged, committed: [] };
  const changed = onWay(await pathsOf(place, ["diff-index", "--cached", ...PLAIN, "HEAD"], paths), paths);
  return { staged, committed: changed.filter((path) => !staged.includes(path)) };
}

/** Whether a path, or one of several, is another one in two commits or trees: itself, or a link or submodule on the way to it. */
export async function touches(
  place: Place,
  { base, head }: TwoTrees,
  path: string | readonly string[],
): Promise<boolean> {
  const paths = [path].flat();
  return onWay(await pathsOf(place, ["diff-tree", "-r", ...PLAIN, base, head], paths), paths).length > 0;
}

type TwoTrees = Record<"base" | "head", string>;

const PLAIN = ["-z", "--name-only", "--no-renames", "--ignore-submodules=none"];

async function pathsOf({ root }: Place, command: string[], paths: readonly string[]): Promise<string[]> {
  const firsts = new Set(paths.map((path) => `:(top,icase,literal)${path.split("/", 1)[0]}`));
  const listed = await git({ cwd: root, args: [...command, "--", ...firsts] });
  return listed.split("\0").filter(Boolean);
}

/** Many file systems open a file whatever the case of its name. */
function onWay(listed: readonly string[], paths: readonly string[]): string[] {
  const lower = paths.map((path) => path.toLowerCase());
  const folders = lower.filter((path) => path.endsWith("/"));
  const ways = new Set(
    lower.flatMap((path) => {
      const parts = path.split("/").filter(Boolean);
      return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
    }),
  );
  const found = listed.flatMap((one) => {
    const folder = folders.find((path) => one.toLowerCase().startsWith(path));
    if (folder !== undefined) return [one.slice(0, folder.length - 1)];
    return ways.has(one.toLowerCase()) ? [one] : [];
  });
  return [...new Set(found)];
}
