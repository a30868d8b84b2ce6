import { existsSync } from "node:fs";
import { join } from "node:path";
import type { LoadedSettings } from "@anneal/adapters/files";
import type { BoundChecks, ItemRef } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { UsageError } from "../errors/errors.ts";
import { fromTop, type SettingsProblem, settingsDamage, settingsText } from "./settings-damage.ts";

interface TestCommandOf {
  kind: ItemRef["kind"];
  /** Of the project. */
  root: string;
  loaded: Pick<LoadedSettings, "project" | "global" | "problems" | "placeOf">;
  /** Where a loop has its own. */
  command?: BoundChecks["testCommand"];
}

const NEEDING: readonly ItemRef["kind"][] = ["epic", "ticket"];
const NONE = 'no "testCommand" is set, and a ticket is only reviewed when its tests pass: set one, such as "npm test"';

/** Why no loop of a kind may begin under the test command of the settings, and where that stands. */
export async function testCommandProblem(of: TestCommandOf): Promise<SettingsProblem | null> {
  const { kind, root, loaded } = of;
  // What is there and cannot be read is not missing.
  const damage = settingsDamage(loaded, root);
  if (damage !== null) return damage;
  const command = commandOf(of);
  const message = command === null ? (NEEDING.includes(kind) ? NONE : null) : await unusable(command, root);
  return message === null ? null : placed(of, message);
}

/** What will keep the test command from running, unless the set-up of a workspace or the change itself brings it. */
export async function testCommandNote(of: TestCommandOf): Promise<string | null> {
  const { missingScript, splitArgv } = await import("@anneal/adapters/checks");
  const command = commandOf(of);
  if (command === null || (await testCommandProblem(of)) !== null) return null;
  const [program = "", ...words] = typeof command === "string" ? splitArgv(command) : command;
  const later = "the checks fail until the set-up of a workspace or a change adds it";
  if (program.includes("/") && !existsSync(join(of.root, program)))
    return settingsText(placed(of, `testCommand: there is no ${program} yet; ${later}`));
  const script = await missingScript([program, ...words], of.root);
  if (script === null) return null;
  return settingsText(placed(of, `testCommand: package.json has no script ${script} yet; ${later}`));
}

/** A command that cannot be run is reported before any work starts. */
export async function refuseTestCommand(of: TestCommandOf): Promise<void> {
  const problem = await testCommandProblem(of);
  if (problem !== null) throw new UsageError(settingsText(problem));
}

/** Why a command cannot be run in a folder, as far as its program tells; one that is not there may still come. */
export async function notFound(program: string, folder: string): Promise<string | null> {
  const { isOnPath, notExecutable } = await import("@anneal/adapters/checks");
  if (program.trim() === "") return "the command is empty";
  const why = notExecutable(program, folder);
  if (why !== null) return why;
  return isOnPath(program) ? null : `${program} was not found: install it, or correct the command`;
}

function commandOf({
  loaded,
  command = loaded.project.testCommand ?? loaded.global.testCommand ?? null,
}: TestCommandOf) {
  return command;
}

function placed({ root, loaded }: TestCommandOf, message: string): SettingsProblem {
  const { path, line } = loaded.placeOf("testCommand");
  return { file: fromTop(path, root), line, message };
}

async function unusable(command: string | string[], root: string): Promise<string | null> {
  const { splitArgv } = await import("@anneal/adapters/checks");
  try {
    const [program = ""] = typeof command === "string" ? splitArgv(command) : command;
    const why = await notFound(program, root);
    return why === null ? null : `testCommand: ${why}`;
  } catch (error) {
    return `testCommand: ${errorMessage(error)}`;
  }
}
