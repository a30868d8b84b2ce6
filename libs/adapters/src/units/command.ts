import { posix } from "node:path";
import { CommandSyntaxError, splitArgv } from "../checks/argv.ts";
import { cutAtAnd } from "../checks/shell-line.ts";

/** One program of a command line, ready to run without a shell. */
export interface CommandStep {
  argv: [string, ...string[]];
  /** Where it runs, below the worktree; empty for its top. */
  folder: string;
  env: Record<string, string>;
  /** As it was written. */
  line: string;
}

/**
 * Reads the command of a task or a baseline check. People write these for a shell, and agents can edit them, so no shell
 * runs them: `a && b`, `cd folder` and `NAME=value program` are understood here. Everything else that needs a shell
 * is refused, unless the line names one itself (`bash -c '…'`), which then is the author's own decision.
 */
export function readCommand(line: string): CommandStep[] {
  const steps: CommandStep[] = [];
  let folder = "";
  for (const piece of cutAtAnd(line)) {
    const { env, rest } = assignments(piece);
    const argv = split(rest.trim(), piece);
    if (argv[0] === "cd") folder = changed(folder, argv, piece);
    else steps.push({ argv, folder, env, line: piece.trim() });
  }
  if (steps.length === 0) throw new CommandSyntaxError(`the command ${line} runs no program`);
  return steps;
}

function split(text: string, line: string): CommandStep["argv"] {
  try {
    return splitArgv(text);
  } catch (error) {
    if (!(error instanceof CommandSyntaxError)) throw error;
    throw new CommandSyntaxError(`${error.message}${line.trim() === "" ? " beside &&" : ""}`);
  }
}

const ASSIGNMENT = /^\s*([A-Za-z_]\w*)=((?:'[^']*'|"(?:[^"\\$`]|\\[\s\S])*"|\\[^\n]|[^\s'"\\$`|&;<>()])*)(?=\s+\S)/;
/** These would reach the program that shuts the command in, before the command. */
const RESERVED = /^(?:PATH|LD_\w*|DYLD_\w*|GCONV_PATH|GLIBC_TUNABLES|ANNEAL_\w*)$/;

function assignments(piece: string): { env: Record<string, string>; rest: string } {
  const env: Record<string, string> = {};
  let rest = piece;
  for (let found = ASSIGNMENT.exec(rest); found !== null; found = ASSIGNMENT.exec(rest)) {
    const [whole, name = "", value = ""] = found;
    if (RESERVED.test(name)) throw new CommandSyntaxError(`${name} cannot be set in a command: ${piece.trim()}`);
    env[name] = value === "" ? "" : (splitArgv(`x ${value}`)[1] ?? "");
    rest = rest.slice(whole.length);
  }
  return { env, rest };
}

function changed(from: string, argv: readonly string[], piece: string): string {
  const [, to = "", ...more] = argv;
  const folder = posix.join(from === "" ? "." : from, to).replace(/\/$/, "");
  const leaves =
    to.startsWith("/") || /^[~-]/.test(to) || to.includes("\\") || folder === ".." || folder.startsWith("../");
  if (to === "" || more.length > 0 || leaves) {
    throw new CommandSyntaxError(`${piece.trim()} does not name a folder below the worktree`);
  }
  return folder === "." ? "" : folder;
}
