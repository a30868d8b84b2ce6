import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { treeOf } from "@anneal/git/read/tree/trees";
import { openRepo, type Repo } from "@anneal/git/repo";
import { GitError } from "@anneal/git/run/errors";
import type { RepoLocation } from "@anneal/git/run/repo-location";
import { git, runGit } from "@anneal/git/run/run";
import { requireSpace } from "@anneal/git/run/space";
import { commitObject } from "@anneal/git/write/commit/commit-object";
import { treeWithout } from "@anneal/git/write/commit/tree-with";
import { systemClock } from "@anneal/system/clock";
import { failpoint } from "@anneal/system/failpoint";
import { noteCopy } from "./reading-copies.ts";

export interface ReadingCopyRequest {
  /** A folder that is there, and empty. */
  path: string;
  /** The change: commits, or trees. */
  base: string;
  head: string;
  /** What the copy calls the change, and where it goes; without one, or one that is no branch, that has no name there. */
  branch: string;
  baseBranch?: string | undefined;
  message: string;
  hidden: Hidden;
}

/** What is in no commit of a copy. */
export interface Hidden {
  /** Folders from the top, in which all of it lies. */
  within: readonly string[];
  /** Of a file in them; `changed` by the change that is shown. */
  hides(path: string, how: "changed" | "as-before"): boolean;
}

/** The change as it stands in a copy. */
export interface CopiedChange {
  base: string;
  head: string;
  /** Files of the change that are not in it. */
  hidden: string[];
}

/**
 * Makes a repository of its own that shows a change and nothing of how it came about: the base with its history, and one commit on
 * it with the tree of the head. It holds no other object or ref and does not lead to the repository that it was made from.
 */
export async function readingCopy(
  main: Repo,
  request: ReadingCopyRequest,
): Promise<{ repo: Repo; shown: CopiedChange }> {
  const { path, base, head, branch, hidden } = request;
  const source = placeOf(main);
  await requireSpace(path, MIN_FREE_BYTES);
  const kept = await hiddenFiles(source, { base, head, hidden });
  const [baseTree, headTree] = [
    await treeWithout(source, await treeOf(source, base), kept.base),
    await treeWithout(source, await treeOf(source, head), kept.head),
  ];
  const hasHistory = kept.base.length === 0 && (await isWholeHistory(source, base, hidden));
  noteCopy(path, main.root);
  failpoint("git.reading-copy.before");
  await emptyRepository(path, base, branch);
  await packInto(path, source, [hasHistory ? base : baseTree, headTree]);
  const repo = await openRepo(path);
  const copy = placeOf(repo);
  const plan = { ...PLAIN, branch: null };
  const first = hasHistory
    ? base
    : await commitObject(copy, { ...plan, tree: baseTree, parent: null, message: "Base\n" }, false);
  const message = `${request.message.replace(/\s+/g, " ").trim() || "Change"}\n`;
  const last = await commitObject(copy, { ...plan, tree: headTree, parent: first, message }, false);
  const bases = await baseRefs(main, request);
  const updates = [[`refs/heads/${branch}`, last], ...bases.map((ref) => [ref, first])];
  const input = updates.map(([ref, id]) => `create ${ref} ${id}\n`).join("");
  await git({ cwd: path, args: ["update-ref", "--stdin"], input });
  await git({ cwd: path, args: ["read-tree", "-m", "-u", "HEAD"] });
  failpoint("git.reading-copy.after");
  // A verdict on it is one on the head.
  const shows = (await git({ cwd: path, args: ["write-tree"] })).trim();
  const due = kept.head.length === 0 ? await main.treeOf(head) : headTree;
  if (shows !== due || (await repo.treeOf(last)) !== due)
    throw new GitError(
      "failed",
      `the reviewer's copy of ${head} has other files than that commit (tree ${shows}, expected ${due}); run it again`,
    );
  return { repo, shown: { base: first, head: last, hidden: kept.changed } };
}

const MIN_FREE_BYTES = 200_000_000;

const PLAIN = { author: { name: "Anneal", email: "anneal@localhost" }, date: "0 +0000" };

function placeOf({ root, gitDir, commonDir }: Repo): RepoLocation {
  return { root, gitDir, commonDir, clock: systemClock };
}

type Listed = Map<string, string>;

/** What is left out of either tree, and which of that differs between them. */
async function hiddenFiles(
  source: RepoLocation,
  { base, head, hidden }: Pick<ReadingCopyRequest, "base" | "head" | "hidden">,
): Promise<{ base: string[]; head: string[]; changed: string[] }> {
  const [before, after] = [await listed(source, base, hidden), await listed(source, head, hidden)];
  const isChanged = (path: string) => before.get(path) !== after.get(path);
  const isHidden = (path: string) => hidden.hides(path, isChanged(path) ? "changed" : "as-before");
  const [ofBase, ofHead] = [before, after].map((files) => [...files.keys()].filter(isHidden));
  const all = new Set([...(ofBase ?? []), ...(ofHead ?? [])]);
  return { base: ofBase ?? [], head: ofHead ?? [], changed: [...all].filter(isChanged).sort() };
}

async function listed({ root }: RepoLocation, commitOrTree: string, { within }: Hidden): Promise<Listed> {
  const names = (await git({ cwd: root, args: ["ls-tree", "-z", "--name-only", "--full-tree", commitOrTree] })).split(
    "\0",
  );
  const tops = within.map((folder) => folder.split("/")[0]?.toLowerCase());
  // Some file systems take capitals and small letters for the same folder.
  const folders = names.filter((name) => name !== "" && tops.includes(name.toLowerCase()));
  if (folders.length === 0) return new Map();
  const args = ["ls-tree", "-r", "-z", "--full-tree", commitOrTree, "--", ...folders];
  const lines = (await git({ cwd: root, args, env: { GIT_LITERAL_PATHSPECS: "1" } })).split("\0").filter(Boolean);
  return new Map(lines.map((line) => [line.slice(line.indexOf("\t") + 1), line.slice(0, line.indexOf("\t"))]));
}

/** Whether the history up to a commit can be shown: it is here as a whole, and never held what is hidden. */
async function isWholeHistory(source: RepoLocation, base: string, { within, hides }: Hidden): Promise<boolean> {
  const { root, commonDir } = source;
  if ((await git({ cwd: root, args: ["cat-file", "-t", base] })).trim() !== "commit") return false;
  if (["shallow", "info/grafts"].some((name) => existsSync(join(commonDir, name)))) return false;
  const partial = await runGit({
    cwd: root,
    args: ["config", "--get-regexp", "^(extensions\\.partialclone|remote\\..*\\.promisor)$"],
  });
  if (partial.code === 0) return false;
  const specs = within.map((folder) => `:(top,icase)${folder}`);
  const how = ["--full-history", "-m", "--root", "--no-renames", "--no-ext-diff", "--format=", "--name-only", "-z"];
  const names = await git({ cwd: root, args: ["log", ...how, base, "--", ...specs] });
  return !names.split("\0").some((path) => path !== "" && hides(path.replace(/^\n+/, ""), "as-before"));
}

/** Nothing of the user's settings but what git asks of the machine; files are checked out as the commit holds them, byte for byte. */
async function emptyRepository(path: string, id: string, branch: string): Promise<void> {
  const format = id.length === 64 ? "sha256" : "sha1";
  const args = ["init", "--quiet", "--template=", `--object-format=${format}`, `--initial-branch=${branch}`, path];
  await git({ cwd: path, args });
  await mkdir(join(path, ".git/info"), { recursive: true });
  await writeFile(join(path, ".git/info/attributes"), "* -filter -text -ident -working-tree-encoding\n");
  for (const setting of [
    ["core.logAllRefUpdates", "false"],
    ["gc.auto", "0"],
    ["maintenance.auto", "false"],
  ])
    await git({ cwd: path, args: ["config", ...setting] });
}

/** All that these commits and trees reach, and nothing else. Deltas that are there are taken as they are; new ones would take long. */
async function packInto(path: string, { root, commonDir }: RepoLocation, wanted: readonly string[]): Promise<void> {
  const objects = join(path, ".git/objects");
  await mkdir(join(objects, "pack"), { recursive: true });
  const args = ["pack-objects", "--quiet", "--revs", "--delta-base-offset", "--window=0", join(objects, "pack/pack")];
  // Git writes a pack where it keeps objects and then moves it, which it cannot from one disk to another.
  const env = {
    GIT_OBJECT_DIRECTORY: objects,
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(join(commonDir, "objects")),
  };
  await git({ cwd: root, args, env, input: wanted.map((id) => `${id}\n`).join("") });
}

/** The names by which the base is known in the repository, as far as they can exist next to the branch. */
async function baseRefs(main: Repo, { branch, baseBranch }: ReadingCopyRequest): Promise<string[]> {
  if (baseBranch === undefined) return [];
  const names = [`refs/heads/${baseBranch}`, `refs/remotes/${baseBranch}`, `refs/remotes/origin/${baseBranch}`];
  const own = `refs/heads/${branch}`;
  const found = await Promise.all(
    names.map(async (ref) => ((await main.resolve(ref).catch(() => null)) === null ? [] : [ref])),
  );
  return found.flat().filter((ref) => ref !== own && !own.startsWith(`${ref}/`) && !ref.startsWith(`${own}/`));
}
