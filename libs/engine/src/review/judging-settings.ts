import { realpath } from "node:fs/promises";
import { join, relative } from "node:path";
import { globalSettings, type LoadedSettings, loadSettings, loadSettingsWith } from "@anneal/adapters/files";
import type { Repo } from "@anneal/git";
import type { ChangeBounds } from "@anneal/types";
import { withoutOwnJudge } from "./repository-settings.ts";

export const SETTINGS_FILE = ".automaker/settings.json";

/** What is judged: a change whose own settings must have no say. */
export interface Judged extends Pick<ChangeBounds, "base" | "head">, Partial<Pick<ChangeBounds, "headKind">> {
  /** What to call it. */
  called: "branch" | "change";
}

export interface JudgingSettings extends LoadedSettings {
  /** Whether the project's settings come from the repository. */
  ofRepository: boolean;
  /** What to tell where the file on disk is not what holds. */
  notes: string[];
}

/** The settings that hold for judging a change: those from before it, where it brings others. */
export async function judgingSettings(repo: Repo, judged?: Judged): Promise<JudgingSettings> {
  if (judged === undefined || !(await bringsSettings(repo, judged))) {
    const own = await loadSettings(repo.root);
    return (await areOfRepository(repo)) ? ofRepository(own, []) : { ...own, ofRepository: false, notes: [] };
  }
  const base = judged.base.slice(0, 12);
  const text = await repo.fileAt(judged.base, SETTINGS_FILE);
  const loaded = await loadSettingsWith({ text, path: `${SETTINGS_FILE} of ${base}` });
  return ofRepository(loaded, [
    `the ${judged.called} changes ${SETTINGS_FILE}, so it is judged by the earlier settings, of commit ${base}`,
  ]);
}

function ofRepository(own: LoadedSettings, notes: string[]): JudgingSettings {
  const { loaded, leftOut } = withoutOwnJudge(own);
  const where = `say it in your own settings (${globalSettings().path}), or in a file that git does not track`;
  const left =
    leftOut === null ? [] : [`${SETTINGS_FILE} comes with the repository, so ${leftOut} does not count: ${where}`];
  return { ...loaded, ofRepository: true, notes: [...notes, ...left] };
}

async function bringsSettings(repo: Repo, judged: Judged): Promise<boolean> {
  const touched = await Promise.all((await waysTo(repo)).map((path) => repo.touches(judged, path)));
  // What is not committed yet is judged as it lies on the disk, whether git tracks it or not.
  return touched.includes(true) && (judged.headKind === "tree" || (await areOfRepository(repo)));
}

/** Whether the project's settings come from the repository. A file that git does not know is the user's own. */
export async function areOfRepository(repo: Repo): Promise<boolean> {
  const held = await Promise.all((await waysTo(repo)).map((path) => repo.holds(path)));
  return held.includes(true);
}

/** Where the file lies by its name, and where links lead to. */
async function waysTo({ root }: Repo): Promise<string[]> {
  const [top, real] = await Promise.all([realpath(root), realpath(join(root, SETTINGS_FILE)).catch(() => null)]);
  const linked = real === null ? SETTINGS_FILE : relative(top, real);
  const leaves = linked === ".." || linked.startsWith("../");
  return leaves || linked === SETTINGS_FILE ? [SETTINGS_FILE] : [SETTINGS_FILE, linked];
}
