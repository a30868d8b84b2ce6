import { existsSync, readFileSync, realpathSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { scrubbedEnvironment } from "@anneal/system/processes/environment";
import { runMark } from "@anneal/system/processes/leftovers";
import { type CommandOptions, runCommand } from "@anneal/system/programs/command";
import { keepGit, WORKSPACE_NOTE } from "@anneal/system/sandbox/keep-git";
import { gitEnvironment, onlyHere } from "../../run/environment.ts";
import { GitError } from "../../run/errors.ts";
import { contains } from "../../run/paths.ts";
import type { RepoLocation } from "../../run/repo-location.ts";
import { git, runGit } from "../../run/run.ts";
import { commitSettings } from "./commit-settings.ts";

const HOOK_OUTPUT_LIMIT = 20_000;

type Hook = [name: string, ...args: string[]];

/** What the first of some hooks said that refused, or null where all agreed or there are none. */
export async function hookRefusal(
  location: RepoLocation,
  hooks: readonly Hook[],
  terms: HookTerms,
): Promise<string | null> {
  terms.signal?.throwIfAborted();
  return await firstRefusal(location, hooks, { ...terms, timeoutMs: terms.timeoutMs ?? TIMEOUT_MS });
}

export interface HookTerms {
  /** How long each may take. */
  timeoutMs?: number | undefined;
  signal?: AbortSignal | undefined;
}

export type HookLimits = Pick<HookTerms, "signal"> & { timeoutMs: number };

const TIMEOUT_MS = 20 * 60_000;

async function firstRefusal(location: RepoLocation, hooks: readonly Hook[], terms: HookLimits): Promise<string | null> {
  const home = await hooksOf(location);
  for (const hook of hooks) {
    if (!isThere(home, hook[0])) continue;
    const refusal = await refusalOf(location, hook, home, terms);
    if (refusal !== null) return refusal;
  }
  return null;
}

async function refusalOf(location: RepoLocation, hook: Hook, home: Hooks, terms: HookLimits): Promise<string | null> {
  // Hooks run tests, which are what an agent wrote.
  const putBack = keepGit(location.root);
  const isJudged = areJudged(location, join(home.folder, hook[0]));
  const run = location.own === undefined ? runOwn : runBoxed(isJudged ? {} : usersOwn(location));
  const { code, output } = await run(location, hook, terms).finally(putBack);
  if (code === 0) return null;
  const all = output.trim();
  // Programs come to the point at their end.
  const said = all.length > HOOK_OUTPUT_LIMIT ? `…${all.slice(-HOOK_OUTPUT_LIMIT)}` : all;
  if (code === "timed-out")
    return `${said}\nthe ${hook[0]} hook took longer than ${terms.timeoutMs / 1_000} s and was killed`.trim();
  return said === "" ? `the ${hook[0]} hook failed with exit code ${code}` : said;
}

/** Where hooks lie, by the settings that they run with. */
interface Hooks {
  folder: string;
  /** Settings may name programs that are hooks as well, which git itself has to find. */
  others: "none" | "some";
}

async function hooksOf(location: RepoLocation): Promise<Hooks> {
  const { root, commonDir } = location;
  const { namesHooksFolder, namesHooks } = await commitSettings(location);
  const others = namesHooks ? "some" : "none";
  if (!namesHooksFolder) return { folder: join(commonDir, "hooks"), others };
  const folder = await git({ cwd: root, args: ["rev-parse", "--git-path", "hooks"], config: "own" });
  return { folder: resolve(root, folder.replace(/\n$/, "")), others };
}

export async function hooksFolder(location: RepoLocation): Promise<string> {
  return (await hooksOf(location)).folder;
}

function isThere({ folder, others }: Hooks, name: string): boolean {
  return others === "some" || [name, `${name}.exe`].some((file) => existsSync(join(folder, file)));
}

/** Whether a hook came with the work tree of a workspace, and so is part of what is judged; in the user's own tree none are. */
function areJudged({ root, gitDir, own }: RepoLocation, path: string): boolean {
  return own !== undefined && [path, ...real(path)].some((one) => contains(root, one) && !contains(gitDir, one));
}

type Box = Pick<CommandOptions, "readOnlyFolders" | "writableFolders">;

/** A hook in a workspace runs shut in: one that is part of what is judged as the project's checks do. */
const runBoxed =
  (box: Box) =>
  async (location: RepoLocation, hook: string[], limits: HookLimits): Promise<Ran> => {
    const { root, gitDir } = location;
    const { timeoutMs, signal } = limits;
    const env = gitEnvironment({ ...onlyHere(root), ...hookVariables(gitDir) }, scrubbedEnvironment());
    const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    const { status, output } = await runCommand(["git", "--no-pager", "hook", "run", "--ignore-missing", ...hook], {
      cwd: root,
      timeoutMs,
      env: Object.fromEntries(set),
      sandbox: "auto",
      ...box,
      // Tools that format stage what they wrote, and put away for a while what is not staged.
      git: "writable",
      ...(signal === undefined ? {} : { signal }),
    });
    if (status === "cancelled") throw new GitError("failed", "git was stopped before it finished");
    return { code: status, output };
  };

/**
 * The user's own hook runs files of the tree, such as scripts and settings of tools, which an agent may have written. It needs the
 * programs, settings and network that its author has; it changes the workspace, and neither the home folder nor the repository.
 */
function usersOwn({ root, gitDir }: RepoLocation): Box {
  const file = join(gitDir, WORKSPACE_NOTE);
  const note: { project?: string; source?: string } = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
  const { project, source } = note;
  const kept = [process.env.HOME ?? homedir(), project, source].flatMap((path) =>
    path === undefined ? [] : real(path),
  );
  const temporary = real(tmpdir());
  // Files that git-lfs stores for a commit lie in the user's repository.
  const lfs = source === undefined ? [] : real(join(source, "lfs")).filter((path) => contains(source, path));
  return {
    readOnlyFolders: kept.filter((path) => path !== "/" && !temporary.includes(path)),
    writableFolders: [root, ...temporary, ...lfs],
  };
}

interface Ran {
  code: number | string;
  output: string;
}

const hookVariables = (gitDir: string) => ({ GIT_INDEX_FILE: join(gitDir, "index"), GIT_EDITOR: ":" });

/** In the user's own tree, where no agent works. */
async function runOwn(location: RepoLocation, hook: string[], { timeoutMs, signal }: HookLimits): Promise<Ran> {
  const mark = runMark(location.root);
  const { code, end, stdout, stderr } = await runGit({
    cwd: location.root,
    args: ["hook", "run", "--ignore-missing", ...hook],
    env: { ...hookVariables(location.gitDir), ...mark.env },
    config: "own",
    mark: mark.text,
    timeoutMs,
    signal,
  });
  return { code: end === "timed-out" ? end : code, output: `${stdout.toString("utf8")}${stderr}` };
}

/** Nothing, where there is nothing at a path. */
function real(path: string): string[] {
  try {
    return [realpathSync(path)];
  } catch {
    return [];
  }
}
