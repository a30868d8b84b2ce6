import { lstatSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { join, resolve } from "node:path";
import { isPlainFile } from "@anneal/system/files/path-kinds";
import { submodulesIn } from "@anneal/system/sandbox/keep-git";
import { GitError } from "../../run/errors.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git, runGit } from "../../run/run.ts";
import { GITLINK } from "../diff/raw.ts";
import { indexTraits } from "./index-file.ts";

/** A submodule, or a repository that lies in the work tree: of its files no tree of ours holds anything but the commit. */
interface Link {
  path: string;
  commit: string;
}

export type Folders = Pick<RepoLocation, "root" | "gitDir" | "commonDir">;

/** The links in an index, as `ls-files --stage` lists it. */
export async function linksIn({ root }: Folders, env: Record<string, string> = {}): Promise<Link[]> {
  return linksOf(await git({ cwd: root, args: ["ls-files", "--stage", "-z"], env }), 1);
}

/**
 * Throws where a link in the index of a workspace leads to a repository that is none of ours. Comes before every git that looks at
 * all files: that one starts another git in each link, which runs whatever programs the settings there name.
 */
export async function refuseForeign(location: RepoLocation, env: Record<string, string> = {}): Promise<void> {
  if (location.own === undefined || indexTraits(location, env.GIT_INDEX_FILE)?.submodules === false) return;
  for (const { path } of await linksIn(location, env)) {
    const holds = await foreignAt(location, path);
    if (holds !== null) throw beyond(path, holds === "itself" ? ownRepository(path) : changedInside(path));
  }
}

async function foreignAt(folders: Folders, path: string): Promise<"itself" | "inside" | null> {
  const top = join(folders.root, path);
  if (lstatSync(join(top, ".git"), { throwIfNoEntry: false }) === undefined) return null;
  const home = await homeOf(folders, top);
  if (home === null) return "itself";
  const inside = { root: top, gitDir: home, commonDir: home };
  for (const link of await linksIn(inside)) if ((await foreignAt(inside, link.path)) !== null) return "inside";
  return null;
}

const ownRepository = (path: string) => `made a repository of its own in ${path}, whose files a loop cannot commit`;
const changedInside = (path: string) =>
  `changed files inside the submodule ${path}, which a loop cannot commit: make that change in the submodule's own project`;
const beyond = (path: string, why: string) => new GitError("beyond-reach", `the agent ${why}`, { paths: [path] });

/**
 * Throws where files were changed that cannot become part of a commit here: inside a submodule, or in a repository of its own.
 * To leave them out in silence would let a change pass that is not what somebody wrote.
 */
export async function refuseBeyondReach(
  location: RepoLocation,
  since: string,
  env: Record<string, string>,
): Promise<void> {
  const links = await linksIn(location, env);
  if (links.length === 0) return;
  const args = ["ls-tree", "-z", since, "--", ...links.map(({ path }) => path)];
  const before = new Map(linksOf(await git({ cwd: location.root, args }), 2).map(({ path, commit }) => [path, commit]));
  for (const link of links) {
    const why = await beyondReach(location, link, before.get(link.path));
    if (why !== null) throw beyond(link.path, why);
  }
}

async function beyondReach(
  location: Folders,
  { path, commit }: Link,
  before: string | undefined,
): Promise<string | null> {
  const top = join(location.root, path);
  const changed = changedInside(path);
  const holds = await contentOf(location, top);
  if (holds === "a repository") return ownRepository(path);
  if (holds === "changes") return changed;
  if (holds === "nothing" || commit === before) return null;
  const args = ["for-each-ref", "--count=1", "--contains", commit, "refs/remotes", "refs/tags"];
  return (await git({ cwd: top, args })) !== "" ? null : changed.replace("changed files", "made commits");
}

/** The path of a submodule in which files were changed, which the status of a work tree does not tell. */
export async function changedSubmodule(location: Folders): Promise<string | null> {
  if (indexTraits(location)?.submodules === false) return null;
  for (const { path } of await linksIn(location)) {
    const holds = await contentOf(location, join(location.root, path));
    if (holds === "changes" || holds === "a repository") return path;
  }
  return null;
}

/** Whether the submodules of a workspace, which go with it, have a stash or commits that did not come from a remote. */
export async function isOnlyInSubmodules({ gitDir }: Pick<RepoLocation, "gitDir">): Promise<boolean> {
  // The log has what a reset of ours left behind; a link may be to a commit on no branch, which git fetches by its id.
  const args = ["--all", "--reflog", "--ignore-missing", "--not", "--remotes", "--tags", "FETCH_HEAD"];
  for (const home of homesIn(gitDir)) {
    const call = [`--git-dir=${home}`, "rev-list", "--max-count=1", ...args];
    if ((await git({ cwd: home, args: call })) !== "") return true;
  }
  return false;
}

/** The repositories that git keeps for submodules, and for theirs. */
const homesIn = (gitDir: string) => submodulesIn(gitDir).map((home) => join(gitDir, home));

type Content = "nothing" | "as committed" | "changes" | "a repository";

async function contentOf(folders: Folders, top: string): Promise<Content> {
  const pointer = lstatSync(join(top, ".git"), { throwIfNoEntry: false });
  if (pointer === undefined) return namesIn(top).length === 0 ? "nothing" : "changes";
  const home = await homeOf(folders, top);
  // Its settings can start programs, so git is only asked where no agent could have written them.
  if (home === null) return "a repository";
  const status = ["status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=dirty"];
  if ((await git({ cwd: top, args: status })) !== "") return "changes";
  // Those in it are asked one by one by the same rules: git would start one of its own in each, whatever settings it has.
  const nested = await changedSubmodule({ root: top, gitDir: home, commonDir: home });
  return nested === null ? "as committed" : "changes";
}

/** Git's folder of a submodule, where it is one of those that are put in order after every run, and for these very files. */
async function homeOf({ commonDir, gitDir }: Folders, top: string): Promise<string | null> {
  const pointer = join(top, ".git");
  const [, led] = /^gitdir: (.*?)\n*$/s.exec(isPlainFile(pointer) ? readFileSync(pointer, "utf8") : "") ?? [];
  const home = led === undefined ? null : realOf(resolve(top, led));
  if (home === null || ![commonDir, gitDir].some((one) => homesIn(realpathSync(one)).includes(home))) return null;
  const args = ["rev-parse", "--path-format=absolute", "--show-toplevel"];
  const { code, stdout } = await runGit({ cwd: top, args });
  return code === 0 && stdout.toString("utf8").replace(/\n$/, "") === realOf(top) ? home : null;
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Lines of mode, id and path, with or without a type between them. */
function linksOf(listed: string, idAt: number): Link[] {
  return listed.split("\0").flatMap((line) => {
    const fields = line.split(/[ \t]/, idAt + 1);
    return fields[0] === GITLINK ? [{ commit: fields[idAt] ?? "", path: line.slice(line.indexOf("\t") + 1) }] : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
