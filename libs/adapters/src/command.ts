import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { StringDecoder } from "node:string_decoder";
import { scrubbedEnvironment } from "./sandbox/environment.ts";
import { runMark } from "./sandbox/leftovers.ts";
import { endAll } from "./sandbox/processes.ts";
import { type Enclosure, enclose } from "./sandbox/sandbox.ts";

export { scrubbedEnvironment } from "./sandbox/environment.ts";

export type Argv = readonly [string, ...string[]];

export interface CommandResult {
  /** The exit code (128 and more: ended by a signal), or why there is none that counts. */
  status: number | "timed-out" | "silent" | "cancelled" | "not-found";
  /** Both streams as they came, the last part of it where there was too much. */
  output: string;
  /** `end`: the beginning was dropped. */
  kept: "all" | "end";
  sandboxed: "bwrap" | "none";
  /** Why it was not sandboxed, where that was wished. */
  notSandboxed?: string;
}

export interface CommandOptions {
  cwd: string;
  timeoutMs: number;
  /** Ends it when it prints nothing for that long. */
  silenceMs?: number;
  signal?: AbortSignal;
  env?: Record<string, string>;
  /** Written to its standard input; nothing to read there unless given. */
  input?: string;
  onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /** How many characters of output are kept. */
  keepChars?: number;
  /** `auto`: in bubblewrap, where only `cwd` can be written; without it where that does not work here, which the result says. */
  sandbox?: "auto" | "off";
  /** Counts inside a sandbox only. */
  network?: "allowed" | "none";
  /** Folders to read that a sandbox would hide, such as the repository that a worktree belongs to. */
  readable?: string[];
}

const KEPT_CHARS = 64_000;

/** Runs a program of the project with a scrubbed environment. Nothing that it started outlives it. */
export async function runCommand(argv: Argv, options: CommandOptions): Promise<CommandResult> {
  const mark = runMark(options.cwd);
  const env = { ...scrubbedEnvironment(), ...options.env, ...mark.env };
  const enclosure = await enclose(argv, { ...options, env });
  try {
    return { ...(await run(enclosure, mark.text, options)), ...enclosure.says };
  } finally {
    await enclosure.remove();
  }
}

type Ended = Pick<CommandResult, "status" | "output" | "kept">;

function run({ argv, env }: Enclosure, mark: string, options: CommandOptions): Promise<Ended> {
  if (argv === "not-found") return Promise.resolve({ status: "not-found", output: "", kept: "all" });
  const [program, ...args] = argv;
  return new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env,
      stdio: [options.input === undefined ? "ignore" : "pipe", "pipe", "pipe"],
      detached: true,
    });
    const end = () => endAll({ leader: child.pid, mark });
    const watch = watchdogs(options, end);
    const output = collector(child, options, watch.heard);
    const settle = (status: CommandResult["status"]) => {
      watch.stop();
      resolve({ status: watch.verdict() ?? status, ...output() });
    };
    // A program may end before it has read its input.
    child.stdin?.on("error", () => {});
    child.stdin?.end(options.input);
    child.on("error", () => settle("not-found"));
    // What it left running would keep the pipes open, and go on changing files.
    child.on("exit", end);
    child.on("close", (code, signal) => settle(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
}

/** Ends the program when its time is up, when it has been silent for too long, or when it is told to. */
function watchdogs({ timeoutMs, silenceMs, signal }: CommandOptions, end: () => void) {
  let verdict: "timed-out" | "silent" | "cancelled" | null = null;
  const stopFor = (why: NonNullable<typeof verdict>) => () => {
    verdict ??= why;
    end();
  };
  const timer = setTimeout(stopFor("timed-out"), timeoutMs);
  const silence = silenceMs === undefined ? undefined : setTimeout(stopFor("silent"), silenceMs);
  const onAbort = stopFor("cancelled");
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  return {
    verdict: () => verdict,
    heard: () => void silence?.refresh(),
    stop: () => {
      clearTimeout(timer);
      clearTimeout(silence);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Gathers both streams in the order of their arrival, without cutting characters apart. */
function collector(child: ChildProcess, { onOutput, keepChars = KEPT_CHARS }: CommandOptions, heard: () => void) {
  let output = "";
  let kept: CommandResult["kept"] = "all";
  const take = (text: string, stream: "stdout" | "stderr") => {
    if (text === "") return;
    onOutput?.(text, stream);
    output += text;
    // Cut only now and then: cutting at every chunk would copy the whole each time.
    if (output.length > 2 * keepChars) cut();
  };
  const cut = () => {
    if (output.length <= keepChars) return;
    output = output.slice(-keepChars);
    kept = "end";
  };
  for (const stream of ["stdout", "stderr"] as const) {
    const decoder = new StringDecoder("utf8");
    child[stream]?.on("data", (chunk: Buffer) => {
      heard();
      take(decoder.write(chunk), stream);
    });
    child[stream]?.on("end", () => take(decoder.end(), stream));
  }
  return () => {
    cut();
    return { output, kept };
  };
}
