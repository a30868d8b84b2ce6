import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { TOKENS_FILE, withAutomationToken } from "./automation.ts";

const ROOT = fileURLToPath(new URL("../../../../", import.meta.url));
const NODE = join(ROOT, "node_modules", ".bin", "node");
const BIN = join(ROOT, "apps", "cli", "bin", "anneal.js");

/** The compiled command line tool, as it is started. */
export const ANNEAL = [NODE, BIN] as const;

/** What came of one run of the compiled command line tool. */
export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
  /** What the run left in its own home, temp and data folder. */
  left: string[];
}

/** A run under way. Its process leads a group of its own, as a command in a terminal does. */
export interface Running {
  child: ChildProcess;
  ended: Promise<Run>;
}

/** Runs `anneal ARGS…` in a folder and waits for its end. A variable set to undefined is left out. */
export function anneal(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<Run> {
  return start(cwd, args, env).ended;
}

export function start(cwd: string, args: string[], env: NodeJS.ProcessEnv = {}): Running {
  const sandbox = makeSandbox();
  const child = spawn(NODE, [BIN, ...args], {
    cwd,
    env: { ...scrubbed(sandbox), ...env },
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  return { child, ended: outcome(child, sandbox) };
}

/** Runs `anneal ARGS…` where the whole disk is mounted read-only, but for its own home and temp folder. */
export function annealReadOnly(cwd: string, args: string[]): Promise<Run> {
  const sandbox = makeSandbox();
  const mounts = [
    "--ro-bind",
    "/",
    "/",
    "--dev",
    "/dev",
    "--proc",
    "/proc",
    "--ro-bind",
    cwd,
    cwd,
    "--bind",
    sandbox.folder,
    sandbox.folder,
  ];
  const child = spawn("bwrap", [...mounts, "--", NODE, BIN, ...args], {
    cwd,
    env: scrubbed(sandbox),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  return outcome(child, sandbox);
}

/** script(1) of util-linux; other systems have a program of that name that takes other options. */
const TERMINAL = "script";
export const hasTerminal = spawnSync(TERMINAL, ["--version"]).status === 0;

/** What somebody types at a terminal: one line each time that the question is asked. */
export interface Typing {
  question: string;
  lines: string[];
}

/** Runs `anneal ARGS…` on a terminal made by script(1), so that all streams are a terminal. */
export function annealOnTerminal(
  cwd: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
  typing?: Typing,
): Promise<Run> {
  const sandbox = makeSandbox();
  // The words go through the environment: script(1) hands a line to a shell, and nothing may be quoted by hand.
  const names = [NODE, BIN, ...args].map((word, at): [string, string] => [`WORD${at}`, word]);
  const line = names.map(([name]) => `"$${name}"`).join(" ");
  const child = spawn(TERMINAL, ["--quiet", "--return", "--command", line, "/dev/null"], {
    cwd,
    env: { ...scrubbed(sandbox), TERM: "xterm-256color", SHELL: "/bin/sh", ...Object.fromEntries(names), ...env },
    stdio: [typing === undefined ? "ignore" : "pipe", "pipe", "pipe"],
  });
  if (typing !== undefined) type(child, typing);
  return outcome(child, sandbox);
}

function type({ stdin, stdout }: ChildProcess, { question, lines }: Typing): void {
  const left = [...lines];
  let seen = "";
  stdout?.on("data", (chunk: Buffer) => {
    seen += chunk.toString();
    while (left.length > 0 && seen.includes(question)) {
      seen = seen.slice(seen.indexOf(question) + question.length);
      stdin?.write(`${left.shift()}\n`);
    }
  });
}

interface Sandbox {
  folder: string;
  home: string;
  temp: string;
  data: string;
}

function makeSandbox(): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "anneal-e2e-")));
  const sandbox = { folder, home: join(folder, "home"), temp: join(folder, "temp"), data: join(folder, "data") };
  mkdirSync(sandbox.home);
  mkdirSync(sandbox.temp);
  return sandbox;
}

function scrubbed({ home, temp, data }: Sandbox): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: temp,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_SYSTEM: "/dev/null",
    ANNEAL_TRUST: process.env.ANNEAL_TRUST,
    ...withAutomationToken(data),
  };
}

async function outcome(child: ChildProcess, { folder, home, temp, data }: Sandbox): Promise<Run> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => stdout.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => stderr.push(chunk));
  try {
    const code = await new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    });
    const kept = readdirSync(data).filter((name) => name !== TOKENS_FILE);
    const left = [...readdirSync(home), ...readdirSync(temp), ...kept];
    return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString(), left };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
