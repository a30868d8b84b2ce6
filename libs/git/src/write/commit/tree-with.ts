import { join } from "node:path";
import { withIndexCopy, writeTree } from "../../read/tree/trees.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git } from "../../run/run.ts";

export interface PathFrom {
  /** A file or folder, as it is spelt. */
  path: string;
  /** The tree or commit to take it from. */
  from: string;
}

/** A tree with one path as it is in another, or without it where that has none. No work tree and no index is touched. */
export async function treeWith(location: RepoLocation, tree: string, { path, from }: PathFrom): Promise<string> {
  const cwd = location.root;
  const literal = { GIT_LITERAL_PATHSPECS: "1" };
  const listed = (of: string) =>
    git({ cwd, args: ["ls-tree", "-r", "-z", "--full-tree", of, "--", path], env: literal });
  const [now, wanted] = [await listed(tree), await listed(from)];
  if (now === wanted) return tree;
  return await withIndexCopy(location, join(location.gitDir, "index"), async (env) => {
    await git({ cwd, args: ["read-tree", tree], env });
    const gone = entries(now).map(removal);
    const input = [...gone, ...entries(wanted)].map((entry) => `${entry}\0`).join("");
    // What lies where a folder has to be, such as a link that an agent put there, gives way.
    await git({ cwd, args: ["update-index", "-z", "--replace", "--index-info"], env, input });
    return writeTree(location, env);
  });
}

/** A tree without some of its files, given by their paths. */
export async function treeWithout(location: RepoLocation, tree: string, paths: readonly string[]): Promise<string> {
  if (paths.length === 0) return tree;
  return await withIndexCopy(location, join(location.gitDir, "index"), async (env) => {
    await git({ cwd: location.root, args: ["read-tree", tree], env });
    const nothing = tree.replaceAll(/./g, "0");
    const input = paths.map((path) => `0 ${nothing}\t${path}\0`).join("");
    await git({ cwd: location.root, args: ["update-index", "-z", "--index-info"], env, input });
    return writeTree(location, env);
  });
}

function entries(listed: string): string[] {
  return listed.split("\0").filter(Boolean);
}

/** The line that takes an entry out: mode 0 and an id of zeros, as long as the repository's ids are. */
function removal(entry: string): string {
  const [, , id = ""] = entry.split(/[ \t]/);
  return `0 ${id.replaceAll(/./g, "0")}${entry.slice(entry.indexOf("\t"))}`;
}
