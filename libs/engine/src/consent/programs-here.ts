import { featureStore } from "@anneal/adapters/features";
import { type LoadedSettings, loadSettings } from "@anneal/adapters/files";
import { findUnits, readChoo } from "@anneal/adapters/units";
import type { Repo } from "@anneal/git";
import { systemClock } from "@anneal/system/clock";
import type { NamedProgram, ProjectSettings } from "@anneal/types";
import { SETTINGS_FILE } from "../review/judging-settings.ts";
import { hookPrograms } from "./hook-programs.ts";
import {
  chooCommands,
  inCommit,
  lineOf,
  type NamedCommand,
  onDisk,
  programOf,
  stepCommands,
  taskCommands,
} from "./programs.ts";

/**
 * Everything that the repository here would have run, by the files that loops read and with the content of the last commit; with
 * `proposed`, as if the project's settings said that as well.
 */
export async function programsHere(repo: Repo, proposed: ProjectSettings = {}): Promise<NamedProgram[]> {
  const head = await repo.headCommit();
  const read = head === null ? onDisk(repo.root) : inCommit(repo, head);
  const [loaded, choo, { units }] = await Promise.all([
    loadSettings(repo.root),
    readChoo(repo.root),
    findUnits(repo.root),
  ]);
  const { global } = loaded;
  const project = { ...loaded.project, ...proposed };
  const open = units.filter(({ unit }) => unit.plan.orch_status !== "complete");
  const commands = [
    ...settingsCommands(
      { global, project },
      { ...global, ...project, worktree: { ...global.worktree, ...project.worktree } },
    ),
    ...(choo.ok ? chooCommands(choo) : []),
    ...taskCommands(open.flatMap(({ tasks }) => tasks)),
    ...stepCommands(await featureStore(repo.root, { clock: systemClock }).pipeline()),
  ];
  const programs = [
    ...(await Promise.all(commands.map((command) => programOf(command, read)))),
    ...(await hookPrograms(repo, read)),
  ];
  return [...new Map(programs.map((program) => [program.hash, program])).values()];
}

/** The set-up and the checks of settings, as they are in force. */
export function settingsCommands(
  loaded: Pick<LoadedSettings, "project" | "global">,
  { testCommand, worktree }: Pick<ProjectSettings, "testCommand" | "worktree">,
): NamedCommand[] {
  const place = (key: "testCommand" | "worktree") =>
    loaded.project[key] === undefined && loaded.global[key] !== undefined ? "your own settings" : SETTINGS_FILE;
  const setup = (worktree?.setup ?? []).map(
    (command): NamedCommand => ({ use: "set-up", place: place("worktree"), command }),
  );
  if (testCommand === undefined) return setup;
  return [...setup, { use: "test command", place: place("testCommand"), command: lineOf(testCommand) }];
}
