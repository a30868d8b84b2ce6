import { Newest } from "../../run/newest.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git } from "../../run/run.ts";
import { headCommit } from "../refs/refs.ts";
import { indexStamp } from "./staged.ts";

/** Files and folders that are neither tracked nor ignored; a folder that holds nothing else is given as one, with a slash at its end. */
export async function untracked({ root }: RepoLocation): Promise<string[]> {
  const args = ["ls-files", "--others", "--exclude-standard", "--directory", "--no-empty-directory", "-z"];
  return (await git({ cwd: root, args })).split("\0").filter(Boolean);
}

/** The paths of all files of a commit or tree. */
export async function filesIn({ root }: RepoLocation, commitOrTree: string): Promise<string[]> {
  const args = ["ls-tree", "-r", "-z", "--name-only", "--full-tree", commitOrTree];
  return (await git({ cwd: root, args })).split("\0").filter(Boolean);
}

/** Whether a file is part of what will be committed anyway. */
export async function tracks({ root }: RepoLocation, path: string): Promise<boolean> {
  return (await git({ cwd: root, args: ["ls-files", "-z", "--", `:(literal)${path}`] })) !== "";
}

/** What was found, by folder and path, with the stamp of the index and the last commit that it holds for. */
const knownHolds = new Newest<{ stands: string; found: boolean }>(100);

/** Whether a path comes from the repository, by the index or the last commit: itself, or a link or submodule on the way to it. */
export async function holds(location: RepoLocation, path: string): Promise<boolean> {
  const stands = `${await indexStamp(location)} ${await headCommit(location)}`;
  const name = `${location.gitDir}\0${path}`;
  const known = knownHolds.get(name);
  if (known?.stands === stands) return known.found;
  const found = await holdsNow(location, path);
  knownHolds.set(name, { stands, found });
  return found;
}

async function holdsNow(location: RepoLocation, path: string): Promise<boolean> {
  // Somebody may have taken it out of the index only.
  const committed = (await headCommit(location)) === null ? [] : ["--with-tree=HEAD"];
  return isOnWay(await pathsOf(location, ["ls-files", "-z", ...committed], [path]), [path]);
}

/** Whether a path, or one of several, is another one in two commits or trees: itself, or a link or submodule on the way to it. */
export async function touches(
  location: RepoLocation,
  { base, head }: TwoTrees,
  path: string | readonly string[],
): Promise<boolean> {
  const paths = [path].flat();
  return isOnWay(await pathsOf(location, ["diff-tree", "-r", ...PLAIN, base, head], paths), paths);
}

type TwoTrees = Record<"base" | "head", string>;

const PLAIN = ["-z", "--name-only", "--no-renames", "--ignore-submodules=none"];

async function pathsOf({ root }: RepoLocation, command: string[], paths: readonly string[]): Promise<string[]> {
  const firsts = new Set(paths.map((path) => `:(top,icase,literal)${path.split("/", 1)[0]}`));
  const listed = await git({ cwd: root, args: [...command, "--", ...firsts] });
  return listed.split("\0").filter(Boolean);
}

/** Many file systems open a file whatever the case of its name. */
function isOnWay(listed: readonly string[], paths: readonly string[]): boolean {
  const ways = new Set(
    paths.flatMap((path) => {
      const parts = path.toLowerCase().split("/");
      return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
    }),
  );
  return listed.some((one) => ways.has(one.toLowerCase()));
}
