import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve, sep } from "node:path";
import { WORKSPACE_NOTE } from "@anneal/system/sandbox/keep-git";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { workspacesHome } from "../home.ts";
import { gitFolders } from "./git-folders.ts";
import { copiedFrom, workspacesForProject } from "./reading-copies.ts";

/**
 * What has to be read-only so that nobody in a work tree can change its repository: every work tree of it, git's own folder, and
 * all workspaces, but for what would shut the home folder as well. Null where that cannot be had on this machine.
 */
export async function foldersToKeep(tree: string): Promise<string[] | null> {
  if ((await probeSandbox()).state !== "works") return null;
  const source = copiedFrom(tree);
  const of = source === undefined ? [tree] : [tree, source];
  return [...new Set(of.flatMap(projectFolders).flatMap(real))].filter((folder) => !holdsHome(folder));
}

/**
 * What a reader of a copy must not see: every work tree of the repository that it was made from, git's own folder, and all
 * workspaces, where loops keep what they came to. None for any other tree.
 */
export function foldersToHide(tree: string): string[] {
  const source = copiedFrom(tree);
  if (source === undefined) return [];
  const folders = projectFolders(source).flatMap(real);
  // The home folder itself is not ours to take away.
  const shown = (folder: string) => (holdsHome(folder) ? OURS.flatMap((name) => real(join(folder, name))) : [folder]);
  const closed = [...new Set(folders.flatMap(shown))].filter((path) => statSync(path).isDirectory());
  return closed.filter((path) => !closed.some((other) => path.startsWith(other + sep)));
}

const OURS = [".automaker"];

function holdsHome(folder: string): boolean {
  return real(process.env.HOME ?? homedir()).some((one) => one === folder || one.startsWith(folder + sep));
}

/** Whether a work tree is among such folders, or lies in one. */
export function isKept(folders: readonly string[], tree: string): boolean {
  return real(tree).some((path) => folders.some((folder) => path === folder || path.startsWith(folder + sep)));
}

/** Of a workspace those of its project as well. */
function projectFolders(tree: string): string[] {
  const { project = tree } = sourceOf(tree) ?? {};
  // A review outside of loops makes no workspaces, and others may have made some.
  const home = workspacesForProject(project) ?? (project === tree ? workspacesHome(project) : dirname(tree));
  return [...[...new Set([tree, project])].flatMap(repositoryFolders), home];
}

/** Git does not know its main work tree where its own folder lies elsewhere, so that whoever asked is among them in any case. */
function repositoryFolders(tree: string): string[] {
  const [own = join(tree, ".git"), common = own] = gitFolders(tree);
  const main = basename(common) === ".git" ? [dirname(common)] : [];
  const named = [common, own].flatMap((folder) => namedIn(folder));
  return [tree, common, ...main, ...named, ...linkedTrees(common)];
}

/** The project that a workspace belongs to, where nobody who works there has any business, and git's folder of it. */
export function sourceOf(tree: string): { project: string; source: string } | null {
  try {
    const { project, source } = JSON.parse(textIn(join(tree, ".git", WORKSPACE_NOTE)));
    return typeof project === "string" && typeof source === "string" ? { project, source } : null;
  } catch {
    return null;
  }
}

/**
 * Where git-lfs puts the files that it stores, whenever git so much as looks at a changed one. As a whole, since files are
 * moved within it; nothing in there is a setting or a program.
 */
export function lfsStoreOf(tree: string): string[] {
  const common = sourceOf(tree)?.source ?? gitFolders(tree).at(-1);
  const folder = common === undefined ? undefined : join(common, "lfs");
  // Through a link it may lead anywhere.
  if (folder === undefined || !lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return [];
  return [realpathSync(folder)];
}

/** The work tree of a submodule, or one that somebody has set. */
function namedIn(folder: string): string[] {
  return ["config", "config.worktree"].flatMap((name) => {
    const [, path] = /^\s*worktree\s*=\s*"?([^"\n]+)"?\s*$/im.exec(textIn(join(folder, name))) ?? [];
    return path === undefined ? [] : [resolve(folder, path)];
  });
}

function linkedTrees(common: string): string[] {
  const records = join(common, "worktrees");
  return namesIn(records).flatMap((name) => {
    const pointer = textIn(join(records, name, "gitdir")).trim();
    return pointer === "" ? [] : [dirname(resolve(records, name, pointer))];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Nothing, where it cannot be read: one damaged record must not hide the others. */
function textIn(path: string): string {
  try {
    return statSync(path).isFile() ? readFileSync(path, "utf8") : "";
  } catch {
    return "";
  }
}

/** Nothing, where there is nothing at a path. */
function real(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
