import { existsSync } from "node:fs";
import { join } from "node:path";
import { linksIn } from "@anneal/git/read/tree/submodules";
import { GitError } from "@anneal/git/run/errors";
import { contains } from "@anneal/git/run/paths";
import { git, runGit } from "@anneal/git/run/run";
import { checkOutSubmodule } from "@anneal/git/write/checkout/reset";
import { folderKind } from "@anneal/system/files/path-kinds";

/** A repository whose submodules are checked out: its files, and git's folder of it. */
interface Home {
  root: string;
  gitDir: string;
  commonDir: string;
}

const LOCAL = ["-c", "protocol.version=2", "-c", "protocol.file.allow=always"];

/**
 * Checks out in a clone the submodules that the user has checked out, and theirs: from the user's own copies, so that
 * nobody is asked for anything. Those that the user has not are not here either.
 */
export async function bringSubmodules(user: Home, clone: Home): Promise<void> {
  if (!existsSync(join(clone.root, ".gitmodules"))) return;
  const commits = new Map((await linksIn(clone)).map(({ path, commit }) => [path, commit]));
  for (const { name, path } of await namedIn(clone.root)) {
    const commit = commits.get(path);
    const home = homeOf(user, name, path);
    if (commit === undefined || home === null || !(await isActive(user, name))) continue;
    const root = join(clone.root, path);
    // Where that commit is not in the user's copy, the clone is there all the same.
    const update = ["submodule", "--quiet", "update", "--init", "--", path];
    await runGit({ cwd: clone.root, args: [...LOCAL, "-c", `submodule.${name}.url=${home}`, ...update] });
    if (folderKind(join(root, ".git")) === "nothing") continue;
    const known = [
      "fetch",
      "--quiet",
      "--no-tags",
      "--no-recurse-submodules",
      "--",
      home,
      "+refs/remotes/*:refs/remotes/*",
      commit,
    ];
    await runGit({ cwd: root, args: [...LOCAL, ...known] });
    const origin = await runGit({ cwd: user.root, args: [`--git-dir=${home}`, "config", "remote.origin.url"] });
    const url = origin.stdout.toString("utf8").replace(/\n$/, "");
    if (origin.code === 0) await git({ cwd: root, args: ["config", "remote.origin.url", url] });
    await checkOutSubmodule(clone, path, commit).catch((cause: Error) => {
      const why = `the submodule ${path} must be at ${commit.slice(0, 12)}, which neither ${join(user.root, path)} nor its remote has`;
      throw new GitError("unreachable", `${why}: get it with git -C ${join(user.root, path)} fetch, and try again`, {
        cause,
      });
    });
    const gitDir = join(clone.gitDir, "modules", name);
    await bringSubmodules(
      { root: join(user.root, path), gitDir: home, commonDir: home },
      { root, gitDir, commonDir: gitDir },
    );
  }
}

/** Names and paths, as the files say them. */
async function namedIn(root: string): Promise<{ name: string; path: string }[]> {
  const args = ["config", "--file", ".gitmodules", "--null", "--get-regexp", "^submodule\\..*\\.path$"];
  const { stdout } = await runGit({ cwd: root, args });
  return stdout
    .toString("utf8")
    .split("\0")
    .flatMap((entry) => {
      const [, name, path] = /^submodule\.(.*)\.path\n(.*)$/s.exec(entry) ?? [];
      return name === undefined || path === undefined ? [] : [{ name, path }];
    });
}

/** Where the user's git has a submodule; one that was made by hand has its folder in its files. */
function homeOf({ root, gitDir, commonDir }: Home, name: string, path: string): string | null {
  const modules = [gitDir, commonDir].map((folder) => ({
    folder: join(folder, "modules"),
    home: join(folder, "modules", name),
  }));
  const found = modules.find(({ folder, home }) => contains(folder, home) && existsSync(join(home, "HEAD")));
  if (found !== undefined) return found.home;
  const own = join(root, path, ".git");
  return contains(root, own) && folderKind(own) === "folder" ? own : null;
}

/** Whether the user has asked for it: `git submodule deinit` takes the address away, and leaves the rest. */
async function isActive({ root, gitDir }: Home, name: string): Promise<boolean> {
  const key = ["config", "--get", `submodule.${name}.url`];
  return (await runGit({ cwd: root, args: [`--git-dir=${gitDir}`, ...key] })).code === 0;
}
