import { lstatSync, mkdirSync, readdirSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join, relative } from "node:path";
import type { StartOptions } from "@anneal/system/programs/start-command";
import { isWorkspace } from "@anneal/system/sandbox/keep-git";
import { probeSandbox } from "@anneal/system/sandbox/probe";
import { gitFolders } from "@anneal/workspace/reading/git-folders";
import { foldersToHide, foldersToKeep, isKept, lfsStoreOf } from "@anneal/workspace/reading/repository";
import type { AgentRequest } from "../../ports.ts";
import { mayWrite } from "./roles.ts";
import type { AgentSetup } from "./setup.ts";

// Two ways in which the machine keeps an agent to its role:
// `fullSandbox` is for agents that do not keep to it by themselves: they see only what they need, or may not start at all.
// `repositoryGuard` is for agents with a sandbox of their own: the repository is kept from them as well, where that works.

/** What an agent needs of the machine when it is shut in, and what of the work tree it must not see. */
interface Needs {
  /** Files and folders in the home folder, by which it is signed in. */
  login?: readonly string[];
  /** Files and folders at the top of the work tree from which it takes orders: hooks, plugins, tool servers. */
  obeys?: readonly string[];
  /** Names of files that it takes instructions from in any folder below the top, wherever it reads something next to them. */
  instructedBy?: readonly string[];
  /** Folders of this run that it writes to. */
  writable?: readonly string[];
}

export interface Enclosing {
  options: Pick<
    StartOptions,
    | "sandbox"
    | "network"
    | "writable"
    | "git"
    | "writableFolders"
    | "readOnlyFolders"
    | "readable"
    | "hidden"
    | "closed"
    | "copied"
  >;
  sandboxed: boolean;
}

/**
 * How an agent is shut in that does not keep its hands off files by itself. Reviewers and analysts run where they cannot
 * write, or not at all. Those who may write are shut into the work tree where that works. Nobody obeys the work tree.
 */
export async function fullSandbox(
  setup: AgentSetup,
  { role, cwd }: AgentRequest,
  { login = [], obeys = [], instructedBy = [], writable = [] }: Needs,
): Promise<Enclosing | { refused: string }> {
  const orders = ordersIn(cwd, obeys);
  const instructions = mayWrite(role) ? [] : instructionsIn(cwd, instructedBy);
  const link = orders.find((name) => lstatSync(join(cwd, name)).isSymbolicLink());
  if (link !== undefined) return { refused: `may not run here, because ${link} in the work tree is a symbolic link` };
  const probe = await probeSandbox();
  if (probe.state !== "works") {
    if (setup.sandbox === "required") return { refused: refusedUnboxed(probe.reason) };
    const danger = dangerOf(role, [...orders, ...instructions]);
    if (danger === undefined || setup.unsandboxed === "allowed")
      return { options: { sandbox: "off" }, sandboxed: false };
    return {
      refused: `${danger} (no sandbox: ${probe.reason}). Install bubblewrap, or allow it explicitly with unsandboxed: "allowed".`,
    };
  }
  const home = setup.env?.HOME ?? process.env.HOME ?? homedir();
  return {
    sandboxed: true,
    options: {
      sandbox: "auto",
      network: "allowed",
      writable: mayWrite(role) ? "cwd" : "none",
      git: mayUseGit(role, cwd) ? "writable" : "read-only",
      writableFolders: [...writable, ...(mayWrite(role) ? lfsStoreOf(cwd) : []), ...(setup.writable ?? [])],
      readable: [
        ...login.map((path) => join(home, path)),
        ...(setup.command ?? []).filter(isFile),
        ...gitFolders(cwd),
        ...(setup.readable ?? []),
      ],
      hidden: [...orders, ...instructions].map((name) => join(cwd, name)),
      closed: foldersToHide(cwd),
    },
  };
}

/** What an agent keeps between its runs, all of it by its path. */
export interface Keeps {
  /** Folders where it may write as it likes. They are made where they are missing. */
  state: readonly string[];
  /** What in there tells programs of the user's what to do. */
  fixed?: readonly string[];
  /** Files at the top of the home folder that it writes and does not need afterwards: it gets a copy. */
  copied?: readonly string[];
}

/**
 * Agents that keep their hands off by their own means see the machine as it is, but for the repository, and write nowhere but where
 * they keep what is their own: a hole in those means is then no way to change what is judged, or what anybody runs later.
 * Those who may write do so in their own work tree, and nowhere else in the repository.
 */
export async function repositoryGuard(
  setup: AgentSetup,
  { role, cwd }: AgentRequest,
  writable: readonly string[],
  { state, fixed = [], copied = [] }: Keeps,
): Promise<Enclosing["options"]> {
  const folders = await foldersToKeep(cwd);
  if (folders === null) return { sandbox: "auto" };
  const tree = realpathSync(cwd);
  const git = mayUseGit(role, cwd);
  const own = [...(mayWrite(role) ? [tree] : []), ...(git ? [join(tree, ".git")] : [])];
  const closed = foldersToHide(cwd);
  return {
    sandbox: "auto",
    git: git ? "writable" : "read-only",
    closed,
    readOnlyFolders: [
      ...folders.filter((folder) => !own.includes(folder) && !isKept(closed, folder)),
      ...fixed.filter((path) => lstatSync(path, { throwIfNoEntry: false }) !== undefined),
      ...(setup.command ?? []).filter(isFile),
      ...(setup.readable ?? []),
    ],
    writableFolders: [
      ...own,
      ...(mayWrite(role) ? lfsStoreOf(cwd) : []),
      ...writable,
      ...state.flatMap(made),
      ...(setup.writable ?? []),
    ],
    copied: [...copied],
  };
}

/** A folder of the agent's, which it could not make by itself; nothing where it cannot be made. */
function made(folder: string): string[] {
  try {
    mkdirSync(folder, { recursive: true });
    return [realpathSync(folder)];
  } catch {
    return [];
  }
}

/** Why an agent may not run that nothing would shut in, where the user wants it to be; null where it may. */
export async function unboxedRefusal({ sandbox }: AgentSetup): Promise<string | null> {
  if (sandbox !== "required") return null;
  const probe = await probeSandbox();
  return probe.state === "works" ? null : refusedUnboxed(probe.reason);
}

function refusedUnboxed(reason: string): string {
  return `may not run without a sandbox ("sandbox": "required" in your settings): ${reason}; anneal doctor says how to get one`;
}

/** In a workspace git's folder is as private as the files, and is put in order after every run; the user's own is untouched. */
function mayUseGit(role: AgentRequest["role"], cwd: string): boolean {
  return mayWrite(role) && isWorkspace(cwd);
}

/** Which of these the work tree has. */
export function ordersIn(cwd: string, obeys: readonly string[]): string[] {
  return obeys.filter((name) => lstatSync(join(cwd, name), { throwIfNoEntry: false }) !== undefined);
}

/**
 * Files of these names below the top, from the top. Of links what they lead to, as far as it is in the work tree: only
 * that can be covered, and what lies elsewhere did not come with the repository.
 */
export function instructionsIn(cwd: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const top = realpathSync(cwd);
  const found = new Set<string>();
  const look = (folder: string) => {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory() && entry.name !== ".git") look(path);
      else if (folder !== "" && names.includes(entry.name)) found.add(targetOf(top, path));
    }
  };
  look("");
  found.delete("");
  return [...found];
}

function targetOf(top: string, path: string): string {
  try {
    const target = relative(top, realpathSync(join(top, path)));
    return target.startsWith("..") || isAbsolute(target) ? "" : target;
  } catch {
    // A link that leads nowhere.
    return "";
  }
}

function dangerOf(role: AgentRequest["role"], [order]: string[]): string | undefined {
  if (!mayWrite(role)) return `may not run as ${role}, because nothing would keep it from changing files`;
  if (order === undefined) return undefined;
  return `may not run here, because nothing would keep it from obeying ${order} of the work tree`;
}

/** The program itself, and a script that it is started with: they may lie in a folder that is hidden. */
function isFile(word: string): boolean {
  return isAbsolute(word) && statSync(word, { throwIfNoEntry: false })?.isFile() === true;
}
