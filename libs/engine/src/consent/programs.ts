import { readFileSync, realpathSync, statSync } from "node:fs";
import { join, sep } from "node:path";
import { fileKind } from "@anneal/adapters/builtin/file-kind";
import type { CommandStep } from "@anneal/adapters/units";
import type { Repo } from "@anneal/git";
import type { CodeReviewConfig, NamedProgram, PipelineStep, ProgramUse } from "@anneal/types";
import { shellWord } from "../errors/shell-word.ts";
import { filesNamed, type ReadFiles } from "./files-named.ts";
import { namedProgram } from "./named-program.ts";

/** A command that somebody's settings or files name. */
export interface NamedCommand {
  use: ProgramUse;
  place: string;
  command: string;
  /** Where it runs, from the top of the tree. */
  folder?: string;
}

/** Reads what is on disk in a work tree. What a link leads to outside of it is not read. */
export function onDisk(root: string): ReadFiles {
  const top = realpathSync(root);
  const read = (path: string): Buffer | null => {
    try {
      const real = realpathSync(join(top, path));
      if (!real.startsWith(top + sep)) return Buffer.from(`link out of the tree: ${real}`);
      return statSync(real).isFile() ? readFileSync(real) : null;
    } catch {
      return null;
    }
  };
  return async (paths) => paths.map(read);
}

/** Reads what a commit holds. */
export function inCommit(repo: Repo, commit: string): ReadFiles {
  return (paths) => repo.contentAt(commit, paths);
}

/** Checks run shut in and on what agents write: tests that they name are theirs to change. */
const SHUT_IN: readonly ProgramUse[] = ["test command", "baseline check", "task check"];

export async function programOf({ folder = "", ...named }: NamedCommand, read: ReadFiles): Promise<NamedProgram> {
  // Sentences name files, too, and run none of them.
  if (named.use === "pipeline step") return namedProgram(named, []);
  const passesOver = (path: string) => SHUT_IN.includes(named.use) && fileKind(path).test;
  return namedProgram(named, await filesNamed(named.command, read, { folder, passesOver }));
}

export function lineOf(command: string | readonly string[]): string {
  return typeof command === "string" ? command : command.map(shellWord).join(" ");
}

/** The checks of `.choo.yaml`, and the program that plays its reviewer. */
export function chooCommands({
  codeReview: { command, provider },
  baselineChecks,
}: {
  codeReview: CodeReviewConfig;
  baselineChecks: readonly { command: string; steps: CommandStep[] }[];
}): NamedCommand[] {
  const place = ".choo.yaml";
  const checks = baselineChecks.flatMap((check) => checkOf("baseline check", place, check));
  return command === "" ? checks : [...checks, { use: "reviewer", place, command: `${provider}: ${command}` }];
}

/** The commands of tasks, each once. */
export function taskCommands(
  tasks: readonly { file: string; task: { backpressure: string }; steps: CommandStep[] }[],
): NamedCommand[] {
  const all = tasks.flatMap(({ file, task, steps }) =>
    checkOf("task check", file, { command: task.backpressure, steps }),
  );
  return [...new Map(all.map((one) => [one.command, one])).values()];
}

function checkOf(
  use: ProgramUse,
  place: string,
  { command, steps }: { command: string; steps: CommandStep[] },
): NamedCommand[] {
  const [folder] = new Set(steps.map((step) => step.folder));
  return [{ use, place, command, ...(folder === undefined ? {} : { folder }) }];
}

/** Instructions that agents carry out, whole: what a program is to a machine they are to an agent. */
export function stepCommands(steps: readonly Pick<PipelineStep, "name" | "instructions">[]): NamedCommand[] {
  const place = ".automaker/pipeline.json";
  return steps.map(({ name, instructions }) => ({ use: "pipeline step", place, command: `${name}: ${instructions}` }));
}
