import type { LoadedSettings } from "@anneal/adapters/files";
import type { BoundChecks, ItemRef } from "@anneal/types";
import { UsageError } from "../errors.ts";

export interface SettingsProblem {
  /** From the top of the project; the user's own settings by their whole path. */
  file: string;
  /** Counted from one. */
  line: number;
  message: string;
}

interface TestCommandOf {
  kind: ItemRef["kind"];
  /** Of the project. */
  root: string;
  loaded: Pick<LoadedSettings, "project" | "global" | "placeOf">;
  /** Where a loop has its own. */
  command?: BoundChecks["testCommand"];
}

const NEEDING: readonly ItemRef["kind"][] = ["epic", "ticket"];
const NONE =
  'there is no "testCommand", and a ticket is reviewed only once its tests pass: name one, such as "npm test"';

/** Why no loop of a kind may begin under the test command of the settings, and where that stands. */
export async function testCommandProblem(of: TestCommandOf): Promise<SettingsProblem | null> {
  const { kind, root, loaded } = of;
  const { command = loaded.project.testCommand ?? loaded.global.testCommand ?? null } = of;
  const message = command === null ? (NEEDING.includes(kind) ? NONE : null) : await unusable(command);
  if (message === null) return null;
  const { path, line } = loaded.placeOf("testCommand");
  return { file: path.startsWith(`${root}/`) ? path.slice(root.length + 1) : path, line, message };
}

/** A command that cannot be run is told before anybody works for it. */
export async function refuseTestCommand(of: TestCommandOf): Promise<void> {
  const problem = await testCommandProblem(of);
  if (problem !== null) throw new UsageError(`${problem.file}:${problem.line}: ${problem.message}`);
}

async function unusable(command: string | string[]): Promise<string | null> {
  const { isOnPath, splitArgv } = await import("@anneal/adapters/checks");
  try {
    const [program = ""] = typeof command === "string" ? splitArgv(command) : command;
    // One with a folder in its name may come with the set-up of the worktree, or be made by the change.
    return isOnPath(program) ? null : `testCommand: ${program} was not found: install it, or correct the command`;
  } catch (error) {
    return `testCommand: ${error instanceof Error ? error.message : error}`;
  }
}
