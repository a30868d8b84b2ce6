import { createHash } from "node:crypto";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Repo } from "@anneal/git";
import { failpoint } from "@anneal/system/failpoint";
import { writeAtomic } from "@anneal/system/files/atomic";
import { type CommandOptions, runCommand } from "@anneal/system/programs/command";
import { SETUP_STAMP } from "@anneal/system/sandbox/keep-git";
import { lfsStoreOf } from "@anneal/workspace/reading/repository";
import { splitArgv } from "./argv.ts";
import { copyInto } from "./copy-into.ts";

export interface SetupRequest {
  /** Commands to run in order, such as `npm ci`. */
  setup: string[];
  /** Files to copy from the main work tree, such as `.env`. */
  copy: string[];
  timeoutMs?: number;
  signal?: AbortSignal;
  onOutput?: (text: string) => void;
  /** Called before any of them runs, with the tree where it would; what it throws keeps all of them from running. */
  first?: (worktree: Repo) => Promise<void>;
  /** `auto`: shut in where that works, for files that a loop has changed. `off` by default. */
  sandbox?: "auto" | "off";
}

export type SetupResult =
  | { result: "done"; copied: string[]; missing: string[]; output: string }
  /** It was done before, for the same commands and lock files. */
  | { result: "unchanged" }
  | { result: "failed"; failed: string; output: string };

const TIMEOUT_MS = 15 * 60_000;

/** Makes a fresh workspace fit for running things in; once per workspace and state of its lock files. */
export async function runSetup(worktree: Repo, request: SetupRequest): Promise<SetupResult> {
  const key = await setupKey(worktree.root, request);
  const file = join(worktree.gitDir, SETUP_STAMP);
  const stamp = await readStamp(file);
  if (stamp.done === key) return { result: "unchanged" };

  if (request.setup.length > 0) await request.first?.(worktree);
  // After a kill, what that set-up had made already must not pass for something that was there before.
  const before = stamp.begunWith ?? (await worktree.untracked());
  await writeStamp(file, { begunWith: before });
  const { copied, missing } = await copyInto(worktree, request.copy);
  let output = "";
  for (const line of request.setup) {
    failpoint("setup.command.before");
    const ran = await runCommand(splitArgv(line), {
      cwd: worktree.root,
      timeoutMs: request.timeoutMs ?? TIMEOUT_MS,
      env: { CI: "true", NO_COLOR: "1" },
      ...(request.sandbox === "auto" ? setupBox(worktree.root) : { sandbox: "off" }),
      ...(request.signal ? { signal: request.signal } : {}),
      ...(request.onOutput ? { onOutput: request.onOutput } : {}),
    });
    request.signal?.throwIfAborted();
    failpoint("setup.command.after");
    output += ran.output;
    if (ran.status !== 0) return { result: "failed", failed: `${line} (${howEnded(ran.status)})`, output };
  }
  await hideLitter(worktree, before);
  await writeStamp(file, { done: key });
  return { result: "done", copied, missing, output };
}

/** Where package managers keep what they have downloaded. */
const CACHES = [
  ...[
    ".npm",
    ".cache/yarn",
    ".cache/node",
    ".cache/pnpm",
    ".local/share/pnpm/store",
    ".yarn/berry",
    ".bun/install/cache",
  ],
  ...[".cache/pip", ".cache/uv", ".cache/pypoetry", ".cache/go-build", "go/pkg", ".cargo/registry", ".cargo/git"],
  ...[".m2/repository", ".gradle", ".nuget/packages", ".cache/composer", ".composer/cache", ".bundle/cache"],
];

/**
 * The sandbox of a set-up: it may write the workspace and the caches of package managers, and reads the registry settings in the home
 * folder. The first set-up of a workspace, which runs in none, has made the caches that it needs.
 */
function setupBox(root: string): Pick<CommandOptions, "sandbox" | "network" | "git" | "readable" | "writableFolders"> {
  const home = process.env.HOME ?? homedir();
  const caches = CACHES.map((path) => join(home, path)).filter((path) => statSync(path, { throwIfNoEntry: false }));
  return {
    sandbox: "auto",
    network: "allowed",
    git: "writable",
    readable: [home],
    writableFolders: [...caches, ...lfsStoreOf(root)],
  };
}

function howEnded(status: number | string): string {
  return status === "not-found" ? "the program is not installed; commands run without a shell" : String(status);
}

/** What the set-up made and no rule ignores would be taken for the agent's work, and committed. */
async function hideLitter(worktree: Repo, before: string[]): Promise<void> {
  const made = (await worktree.untracked()).filter((path) => !before.includes(path));
  await worktree.excludePaths(made);
}

const LOCK_FILES = [
  ...["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb"],
  ...["requirements.txt", "uv.lock", "poetry.lock", "Pipfile.lock", "pyproject.toml", "go.sum", "Cargo.lock"],
  ...["Gemfile.lock", "composer.lock", ".gitmodules"],
];

async function setupKey(root: string, { setup, copy }: SetupRequest): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([setup, copy]));
  for (const name of LOCK_FILES) {
    const content = await readFile(join(root, name)).catch(() => null);
    if (content !== null) hash.update(`\0${name}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

/** Lies in the workspace's own git directory, so that it goes with the workspace and is never committed. */
interface Stamp {
  /** Set-up that was finished. */
  done?: string;
  /** Set-up that was begun, and the untracked files of that moment. */
  begunWith?: string[];
}

async function writeStamp(path: string, stamp: Stamp): Promise<void> {
  failpoint("setup.stamp.before");
  await writeAtomic(path, JSON.stringify(stamp));
  failpoint("setup.stamp.after");
}

async function readStamp(path: string): Promise<Stamp> {
  try {
    return JSON.parse(await readFile(path, "utf8")) ?? {};
  } catch {
    return {};
  }
}
