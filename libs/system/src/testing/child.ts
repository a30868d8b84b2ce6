import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

export interface ChildOptions {
  failpoint?: string;
  /** No file may grow beyond this many KiB: the system then fails the write half-way, as a full disk does. */
  maxFileKib?: number;
}

/** A real second process that runs a script from source. */
export interface Child {
  process: ChildProcess;
  /** Resolves when the script prints this line. */
  said(line: string): Promise<void>;
  say(line: string): void;
  ended: Promise<{ code: number | null; signal: string | null; output: string }>;
}

/** The path of a script that lies at an address relative to a module: `scriptAt(import.meta.url, "./testing/updater.ts")`. */
export function scriptAt(moduleUrl: string, path: string): string {
  return fileURLToPath(new URL(path, moduleUrl));
}

export function startChild(script: string, args: string[], { failpoint, maxFileKib }: ChildOptions = {}): Child {
  const command = [process.execPath, script, ...args];
  // 512-byte blocks, as POSIX counts them.
  const limited = ["sh", "-c", `ulimit -f ${(maxFileKib ?? 0) * 2}; exec "$@"`, "sh", ...command];
  const [program = "", ...rest] = maxFileKib === undefined ? command : limited;
  const env = { ...process.env, ...(failpoint === undefined ? {} : { ANNEAL_FAILPOINT: failpoint }) };
  const child = spawn(program, rest, { env, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  const listening = new Set<() => void>();
  const collect = (chunk: Buffer) => {
    output += chunk.toString("utf8");
    for (const check of listening) check();
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const ended = once(child, "close").then(([code, signal]) => ({ code, signal, output }));
  const said = (line: string) =>
    new Promise<void>((resolve, reject) => {
      const check = () => {
        if (output.split("\n").includes(line)) resolve();
      };
      listening.add(check);
      check();
      void ended.then(() => reject(new Error(`${script} ended without "${line}": ${output}`)));
    });
  return { process: child, said, say: (line) => child.stdin.write(`${line}\n`), ended };
}
