import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { GitError } from "./errors.ts";
import { contains } from "./paths.ts";
import type { Place } from "./place.ts";
import { GITLINK } from "./raw.ts";
import { git } from "./run.ts";

/** A submodule, or a repository that lies in the work tree: of its files no tree of ours holds anything but the commit. */
interface Link {
  path: string;
  commit: string;
}

/** The links in an index, as `ls-files --stage` lists it. */
export async function linksIn({ root }: Place, env: Record<string, string> = {}): Promise<Link[]> {
  return linksOf(await git({ cwd: root, args: ["ls-files", "--stage", "-z"], env }), 1);
}

/**
 * Throws where files were changed that cannot become part of a commit here: inside a submodule, or in a repository of its own.
 * To leave them out in silence would let a change pass that is not what somebody wrote.
 */
export async function refuseBeyondReach(place: Place, since: string, env: Record<string, string>): Promise<void> {
  const links = await linksIn(place, env);
  if (links.length === 0) return;
  const args = ["ls-tree", "-z", since, "--", ...links.map(({ path }) => path)];
  const before = new Map(linksOf(await git({ cwd: place.root, args }), 2).map(({ path, commit }) => [path, commit]));
  for (const link of links) {
    const why = await beyondReach(place, link, before.get(link.path));
    if (why !== null) throw new GitError("beyond-reach", `the agent ${why}`, { paths: [link.path] });
  }
}

async function beyondReach(place: Place, { path, commit }: Link, before: string | undefined): Promise<string | null> {
  const top = join(place.root, path);
  const changed = `changed files inside the submodule ${path}, which a loop cannot commit: make that change in a project of its own`;
  const pointer = lstatSync(join(top, ".git"), { throwIfNoEntry: false });
  if (pointer === undefined) return namesIn(top).length === 0 ? null : changed;
  const home = (await git({ cwd: top, args: ["rev-parse", "--absolute-git-dir"] })).replace(/\n$/, "");
  // Its settings can start programs, so git is only asked where no agent could have written them.
  const isSubmodule = [place.commonDir, place.gitDir].some((one) => contains(join(one, "modules"), home));
  if (!isSubmodule) return `made a repository of its own in ${path}, whose files a loop cannot commit`;
  const status = ["status", "--porcelain", "-z", "--untracked-files=normal", "--ignore-submodules=none"];
  if ((await git({ cwd: top, args: status })) !== "") return changed;
  if (commit === before) return null;
  const args = ["for-each-ref", "--count=1", "--contains", commit, "refs/remotes", "refs/tags"];
  return (await git({ cwd: top, args })) !== "" ? null : changed.replace("changed files", "made commits");
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
