import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { PassThrough, Readable, type Writable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import { scrubbedEnvironment, withoutOurToken } from "../processes/environment.ts";
import { runMark } from "../processes/leftovers.ts";
import { endAll } from "../processes/processes.ts";
import { keepGit } from "../sandbox/keep-git.ts";
import { type Enclosure, enclose } from "../sandbox/sandbox.ts";

export type Argv = readonly [string, ...string[]];

export interface CommandResult {
  /** The exit code (128 and more: ended by a signal), or why none counts. */
  status: number | "timed-out" | "silent" | "cancelled" | "not-found";
  /** Both streams as they came, the last part of it where there was too much. */
  output: string;
  /** `end`: the beginning was dropped. */
  kept: "all" | "end";
  sandboxed: "bwrap" | "none";
  /** Why it was not sandboxed, where a sandbox was requested. */
  notSandboxed?: string;
}

export interface StartOptions {
  cwd: string;
  timeoutMs: number;
  /** Ends it when it prints nothing for that long. */
  silenceMs?: number;
  signal?: AbortSignal;
  env?: Record<string, string>;
  /** `open`: the caller writes to its standard input; else there is nothing to read. */
  stdin: "open" | "none";
  onOutput?: (text: string, stream: "stdout" | "stderr") => void;
  /** How many characters of output are kept. */
  keepChars?: number;
  /** `auto`: in bubblewrap, where only `cwd` can be written; without it where that does not work here, which the result says. */
  sandbox?: "auto" | "off";
  /** `none`: a sandbox does not let it write even `cwd`. */
  writable?: "cwd" | "none";
  /** `writable`: inside a sandbox git can be used in `cwd` as well, where that can be written. */
  git?: "writable" | "read-only";
  /** Folders besides `cwd` that can be written inside a sandbox, such as those where a program keeps its state. */
  writableFolders?: string[];
  /** A sandbox that shows the machine as it is, with these folders, where nothing can be written but `writableFolders`. */
  readOnlyFolders?: string[];
  /** Files at the top of the home folder of which such a sandbox gets a copy. */
  copied?: string[];
  /** Counts inside a sandbox only. */
  network?: "allowed" | "none";
  /** Files and folders to read that a sandbox would hide, such as the repository that a worktree belongs to. */
  readable?: string[];
  /** Folders that others take the place of inside a sandbox. */
  standIns?: Record<string, string>;
  /** Files and folders in `cwd` that a sandbox empties: what a program would take orders from. */
  hidden?: string[];
  /** Folders of the machine that a sandbox empties, but for the programs in them. */
  closed?: string[];
}

const KEPT_CHARS = 64_000;

/** A program that runs. Reading its output is up to the caller where `stdin` is open; what it prints is read in any case. */
export interface RunningCommand {
  stdin: Writable;
  stdout: Readable;
  /** Ends it with all that it started. */
  end(): void;
  /** What it came to, once nothing of it is left. */
  ended: Promise<CommandResult>;
}

/** Starts a program with a scrubbed environment, and watches over it until nothing of it is left. */
export async function startCommand(argv: Argv, options: StartOptions): Promise<RunningCommand> {
  const mark = runMark(options.cwd);
  const env = { ...withoutOurToken({ ...scrubbedEnvironment(), ...options.env }), ...mark.env };
  const enclosure = await enclose(argv, { ...options, env });
  const putBack = keepGit(options.cwd);
  try {
    const { ended, ...running } = start(enclosure, mark.text, options);
    return { ...running, ended: cleanedUp(ended, enclosure, putBack) };
  } catch (error) {
    putBack();
    throw error;
  }
}

type Ended = Pick<CommandResult, "status" | "output" | "kept">;

async function cleanedUp(
  ended: Promise<Ended>,
  { says, remove }: Enclosure,
  putBack: () => void,
): Promise<CommandResult> {
  try {
    return { ...(await ended), ...says };
  } finally {
    putBack();
    await remove();
  }
}

interface Started extends Omit<RunningCommand, "ended"> {
  ended: Promise<Ended>;
}

function start({ argv, env }: Enclosure, mark: string, options: StartOptions): Started {
  if (argv === "not-found") {
    const ended = Promise.resolve<Ended>({ status: "not-found", output: "", kept: "all" });
    return { stdin: new PassThrough().resume(), stdout: Readable.from([]), end: () => {}, ended };
  }
  const [program, ...args] = argv;
  const child = spawn(program, args, {
    cwd: options.cwd,
    env,
    stdio: [options.stdin === "open" ? "pipe" : "ignore", "pipe", "pipe"],
    detached: true,
  });
  const end = () => endAll({ leader: child.pid, mark });
  const watch = watchdogs(options, end);
  const output = collector(child, options, watch.onOutput);
  const ended = new Promise<Ended>((resolve) => {
    const settle = (status: CommandResult["status"]) => {
      watch.stop();
      resolve({ status: watch.verdict() ?? status, ...output() });
    };
    child.on("error", () => settle("not-found"));
    // What it left running would keep the pipes open, and go on changing files.
    child.on("exit", end);
    child.on("close", (code, signal) => settle(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  });
  // A program may end before it has read its input.
  child.stdin?.on("error", () => {});
  return { stdin: child.stdin ?? new PassThrough().resume(), stdout: child.stdout ?? Readable.from([]), end, ended };
}

/** Ends the program when its time is up, when it has been silent for too long, or on request. */
function watchdogs({ timeoutMs, silenceMs, signal }: StartOptions, end: () => void) {
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
    onOutput: () => void silence?.refresh(),
    stop: () => {
      clearTimeout(timer);
      clearTimeout(silence);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Gathers both streams in the order of their arrival, without cutting characters apart. */
function collector(child: ChildProcess, { onOutput, keepChars = KEPT_CHARS }: StartOptions, refresh: () => void) {
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
      refresh();
      take(decoder.write(chunk), stream);
    });
    child[stream]?.on("end", () => take(decoder.end(), stream));
  }
  return () => {
    cut();
    return { output, kept };
  };
}
