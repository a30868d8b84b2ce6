import { type ChildProcess, spawn } from "node:child_process";
import { onTestFinished } from "vitest";
import { program } from "../../../../system/src/testing/program.ts";
import type { Load } from "./load.ts";

const CHILD = program("load-child");

/** What a child process tells, line by line. */
export interface Line {
  seq?: number;
  loop?: string;
  type?: string;
  stage?: string;
  trouble?: string;
  otherOwner?: number;
  settled?: string[];
  broken?: string[];
  blocked?: { id: string; because: string }[];
}

export interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  stderr: string;
  lines: Line[];
}

export interface Running {
  child: ChildProcess;
  /** Settles with the first line that fits, also one of the past; fails when the process ends without it. */
  printed(fits: (line: Line) => boolean): Promise<Line>;
  ended: Promise<Ended>;
}

export interface StartOptions {
  /** The script that runs them; without it the one for features. */
  child?: string;
  /** Items to run; all without it. */
  only?: readonly string[];
  env?: Record<string, string>;
  onLine?: (line: Line, child: ChildProcess) => void;
}

/** The environment of everything that works on a project, by which its processes are found again. */
export function environmentOf({ home }: Pick<Load, "home">): Record<string, string> {
  return {
    PATH: process.env.PATH ?? "",
    HOME: home,
    TMPDIR: `${home}/tmp`,
    USER: "ada",
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    ANNEAL_TRUST: "all",
  };
}

/** Starts a process that runs features. It leads a group of its own, which does not outlive the test. */
export function startRun(load: Load, { child = CHILD, only = [], env = {}, onLine }: StartOptions = {}): Running {
  return watched([process.execPath, child, load.dir, ...only], { load, env, onLine });
}

/** Kills everything that is still in a process's group. Only for one that lives or has just ended: numbers are used again. */
export function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All of it has ended by itself.
  }
}

export function watched(
  argv: readonly [string, ...string[]],
  { load, env = {}, onLine }: { load: Load; env?: Record<string, string>; onLine?: StartOptions["onLine"] | undefined },
): Running {
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    cwd: load.dir,
    env: { ...environmentOf(load), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: Line[] = [];
  const waiting = new Set<() => void>();
  let stderr = "";
  let rest = "";
  child.stderr.on("data", (chunk) => (stderr += chunk));
  child.stdout.on("data", (chunk) => {
    const parts = `${rest}${chunk}`.split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts.filter((one) => one.startsWith("{"))) {
      const line: Line = JSON.parse(part);
      lines.push(line);
      onLine?.(line, child);
    }
    for (const look of waiting) look();
  });
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code, signal) => resolve({ code, signal, stderr, lines }));
  });
  const printed = (fits: (line: Line) => boolean) =>
    new Promise<Line>((resolve, reject) => {
      const look = () => {
        const found = lines.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`it ended without that line: ${stderr}`)));
    });
  return { child, printed, ended };
}
