import { type Argv, type CommandResult, type StartOptions, startCommand } from "./start-command.ts";

export { scrubbedEnvironment } from "../processes/environment.ts";
export type { Argv, CommandResult } from "./start-command.ts";

export interface CommandOptions extends Omit<StartOptions, "stdin"> {
  /** Written to its standard input; nothing to read there unless given. */
  input?: string;
}

/** Runs a program of the project with a scrubbed environment. Nothing that it started outlives it. */
export async function runCommand(argv: Argv, { input, ...options }: CommandOptions): Promise<CommandResult> {
  const running = await startCommand(argv, { ...options, stdin: input === undefined ? "none" : "open" });
  running.stdin.end(input);
  return await running.ended;
}
