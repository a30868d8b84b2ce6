import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import type { Readable, Writable } from "node:stream";
import { scrubbedEnvironment } from "@anneal/system/processes/environment";
import { endAll } from "@anneal/system/processes/processes";
import { gitEnvironment, NEUTRAL_CONFIG, onlyHere } from "./environment.ts";
import { branchInTheWay, complaint, GitError } from "./errors.ts";

export interface GitCall {
  /** The top of a work tree, or a folder of git's own. */
  cwd: string;
  /** `here` by default: what lies above `cwd` is somebody else's repository, even if `cwd` is not one. */
  repository?: "here" | "here-or-above";
  args: string[];
  input?: string;
  env?: Record<string, string>;
  signal?: AbortSignal | undefined;
  /** After which it is ended; what it had said until then is kept. */
  timeoutMs?: number;
  /** `neutral` puts settings out of action that change output or run programs; `own` leaves them, and so hides our keys. */
  config?: "neutral" | "own";
  /** A mark in its environment: where something that it started still holds its output once it has ended, all that carries the mark is ended too. */
  mark?: string;
}

export interface GitResult {
  code: number;
  /** `killed`: git was ended from outside, and may have left a lock behind. */
  end: "exited" | "killed" | "timed-out";
  stdout: Buffer;
  stderr: string;
}

/** A git that is talked to while it runs. */
export type GitProcess = ChildProcessByStdio<Writable, Readable, Readable>;
type AnyGit = ChildProcessByStdio<Writable | null, Readable, Readable>;

/** Runs git and gives its standard output as text; anything but success is thrown. */
export async function git(call: GitCall): Promise<string> {
  return (await gitBytes(call)).toString("utf8");
}

export async function gitBytes(call: GitCall): Promise<Buffer> {
  const result = await runGit(call);
  if (result.code !== 0) throw failure(call, result);
  return result.stdout;
}

/** Runs git and returns the result; a failing exit code is a value here. */
export async function runGit(call: GitCall): Promise<GitResult> {
  const child = call.input === undefined ? spawnDeafGit(call) : spawnGit(call);
  const stdout: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stdin?.end(call.input);
  const { mark } = call;
  const stop = () => (mark === undefined ? endGroup(child) : endAll({ leader: child.pid, mark }));
  if (mark !== undefined) letGo(child, stop);
  call.signal?.addEventListener("abort", stop, { once: true });
  if (call.signal?.aborted) stop();
  let late = false;
  const outOfTime = () => {
    late = true;
    stop();
  };
  const timer = call.timeoutMs === undefined ? undefined : setTimeout(outOfTime, call.timeoutMs);
  const { code, end, stderr } = await exited(child, call.cwd).finally(() => {
    clearTimeout(timer);
    call.signal?.removeEventListener("abort", stop);
  });
  if (call.signal?.aborted) throw new GitError("failed", "git was stopped before it finished");
  return { code, end: late ? "timed-out" : end, stdout: Buffer.concat(stdout), stderr };
}

const LINGER_MS = 200;

/** Does not wait for what keeps the output open after the end: it is ended, and what cannot be is left to itself. */
function letGo(child: AnyGit, end: () => void): void {
  const timers: NodeJS.Timeout[] = [];
  const drop = () => {
    child.stdout.destroy();
    child.stderr.destroy();
  };
  child.once("exit", () => timers.push(setTimeout(end, LINGER_MS), setTimeout(drop, 5 * LINGER_MS)));
  child.once("close", () => timers.forEach(clearTimeout));
}

/** A filter of the repository may not let git go. */
const GRACE_MS = 2_000;

/** Git that is asked to end takes its locks along, but for one that it is just making, and cannot when it is killed. What it started is killed after it. */
function endGroup(child: AnyGit): void {
  const kill = () => signalGroup(child, "SIGKILL");
  const isOver = child.exitCode !== null || child.signalCode !== null;
  signalGroup(child, isOver ? "SIGKILL" : "SIGTERM");
  if (isOver) return;
  const timer = setTimeout(kill, GRACE_MS);
  child.once("exit", () => {
    clearTimeout(timer);
    kill();
  });
}

function signalGroup({ pid }: AnyGit, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** Starts git with arguments as an array, never through a shell. */
export function spawnGit(call: GitCall): GitProcess {
  const child = spawn("git", argsOf(call), { ...optionsOf(call), stdio: ["pipe", "pipe", "pipe"] });
  // Git may end before it has read its input; its exit code then says why.
  child.stdin.on("error", () => {});
  return child;
}

/** The same for a git that reads no input: a pipe less to make and to watch. */
export function spawnDeafGit(call: GitCall): ChildProcessByStdio<null, Readable, Readable> {
  return spawn("git", argsOf(call), { ...optionsOf(call), stdio: ["ignore", "pipe", "pipe"] });
}

function argsOf({ args, config }: GitCall): string[] {
  return ["--no-pager", ...(config === "own" ? [] : NEUTRAL_CONFIG), ...args];
}

function optionsOf({ cwd, env, config, signal, timeoutMs, repository }: GitCall) {
  const where = repository === "here-or-above" ? {} : onlyHere(cwd);
  return {
    cwd,
    env: gitEnvironment({ ...where, ...env }, config === "own" ? scrubbedEnvironment() : process.env),
    // What can be stopped gets a process group of its own, so that hooks and their children end with it.
    detached: signal !== undefined || timeoutMs !== undefined,
    windowsHide: true,
  };
}

const STDERR_LIMIT = 64 * 1024;
/** A terminal says these to git and to us at once. We get them before git's end counts, which is then no failure of git. */
const ASKED_TO_STOP: ReadonlySet<NodeJS.Signals> = new Set(["SIGINT", "SIGTERM", "SIGHUP"]);
const HEARD_MS = 100;

/** Waits until the process has ended and its output is read. Attach readers of stdout before. */
export function exited(child: AnyGit, cwd: string): Promise<Omit<GitResult, "stdout">> {
  const stderr: Buffer[] = [];
  let kept = 0;
  child.stderr.on("data", (chunk: Buffer) => {
    if (kept < STDERR_LIMIT) stderr.push(chunk);
    kept += chunk.length;
  });
  return new Promise((resolve, reject) => {
    child.once("error", (error: NodeJS.ErrnoException) => reject(startFailure(error, cwd)));
    child.once("close", (code, signal) => {
      const end = code === null ? "killed" : "exited";
      const tell = () => resolve({ code: code ?? 1, end, stderr: Buffer.concat(stderr).toString("utf8") });
      if (signal !== null && ASKED_TO_STOP.has(signal)) setTimeout(tell, HEARD_MS);
      else tell();
    });
  });
}

export function failure(call: GitCall, result: { code: number; stderr: string }): GitError {
  const inTheWay = branchInTheWay(result.stderr);
  if (inTheWay !== null) return inTheWay;
  const verb = call.args.find((arg) => /^[a-z][a-z-]*$/.test(arg)) ?? "";
  return new GitError("failed", `git ${verb} failed: ${complaint(result.stderr)}`, { cause: new Error(result.stderr) });
}

function startFailure(error: NodeJS.ErrnoException, cwd: string): GitError {
  // The same code as for a git that is not there.
  if (error.code === "ENOENT" && !existsSync(cwd)) {
    return new GitError("failed", `${cwd} does not exist any more: restore the folder, or start over`, {
      cause: error,
    });
  }
  if (error.code === "ENOENT") {
    return new GitError(
      "git-missing",
      `git could not be started in ${cwd}: install git 2.36 or later and put it on PATH`,
      {
        cause: error,
      },
    );
  }
  return new GitError("failed", `git could not be started: ${error.message}`, { cause: error });
}
