import { spawn } from "node:child_process";

export interface CommandResult {
  /** The exit code, or why there is none. */
  status: number | "timed-out" | "cancelled" | "not-found";
  /** Both streams as they came, the last part of it where there was too much. */
  output: string;
}

export interface CommandOptions {
  cwd: string;
  timeoutMs: number;
  signal?: AbortSignal;
  env?: Record<string, string>;
}

const KEPT_CHARS = 64_000;

/** Runs a program of the project with a scrubbed environment, and ends its whole process group when time is up. */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  options: CommandOptions,
): Promise<CommandResult> {
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: { ...scrubbedEnvironment(), ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let output = "";
    let ended: CommandResult["status"] | null = null;
    const kill = (why: "timed-out" | "cancelled") => {
      ended ??= why;
      if (child.pid !== undefined) killGroup(child.pid);
    };
    const timer = setTimeout(() => kill("timed-out"), options.timeoutMs);
    const onAbort = () => kill("cancelled");
    options.signal?.addEventListener("abort", onAbort, { once: true });
    if (options.signal?.aborted) onAbort();
    const collect = (chunk: Buffer) => {
      output = (output + chunk.toString("utf8")).slice(-KEPT_CHARS);
    };
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const settle = (status: CommandResult["status"]) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", onAbort);
      resolve({ status: ended ?? status, output });
    };
    child.on("error", () => settle("not-found"));
    child.on("close", (code) => settle(code ?? "cancelled"));
  });
}

/** What a program needs to run at all; no keys, no tokens. */
export function scrubbedEnvironment(from: NodeJS.ProcessEnv = process.env): Record<string, string> {
  const kept = ["PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "LANG", "LC_ALL", "TZ", "SystemRoot"];
  return Object.fromEntries(kept.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended by itself in the meantime.
  }
}
