import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type DetectedSetup, detectSetup } from "@anneal/adapters/checks";
import { loadSettings, projectSettings, updateSettings } from "@anneal/adapters/files";
import type { Repo } from "@anneal/git";
import type { ProjectSettings } from "@anneal/types";
import { castOfSettings, PARTS } from "../items/cast.ts";
import { keepOutOfCommits, refuseUnwritable } from "../repository/project-at.ts";

export interface Initialised {
  root: string;
  /** What was made now, as paths from the project's top; empty when everything was there. */
  made: string[];
  /** Null in a repository without commits. */
  defaultBranch: string | null;
  detected: DetectedSetup;
  /** What the settings say already. */
  testCommand: string | string[] | null;
  setup: string[] | null;
  /** Parts that no agent plays yet. */
  withoutAgent: string[];
  problems: string[];
}

/** Makes a project ready for loops. What is there already stays as it is. */
export async function initProject(repo: Repo): Promise<Initialised> {
  const { root } = repo;
  refuseUnwritable(repo);
  const made = await makeFiles(root);
  await keepOutOfCommits(repo);
  const loaded = await loadSettings(root);
  const both = { ...loaded.global, ...loaded.project };
  const cast = castOfSettings(loaded, root);
  return {
    root,
    made,
    defaultBranch: (await repo.headCommit()) === null ? null : await repo.defaultBranch(),
    detected: await detectSetup(root),
    testCommand: both.testCommand ?? null,
    setup: both.worktree?.setup ?? null,
    withoutAgent: PARTS.filter((part) => cast[part] === undefined),
    problems: loaded.problems,
  };
}

/** Puts into the project's settings what a person has said yes to; what they say already stays. */
export async function setProposed(
  { root }: Pick<Repo, "root">,
  { worktree, ...proposed }: Pick<ProjectSettings, "testCommand" | "worktree">,
): Promise<void> {
  await updateSettings(projectSettings(root), (settings) => ({
    ...proposed,
    ...settings,
    ...(worktree === undefined ? {} : { worktree: { ...worktree, ...settings.worktree } }),
  }));
}

async function makeFiles(root: string): Promise<string[]> {
  const folder = join(root, ".automaker");
  const names = [".automaker/features/", ".automaker/settings.json"];
  const missing = names.filter((name) => !existsSync(join(root, name)));
  await mkdir(join(folder, "features"), { recursive: true });
  const settings = projectSettings(root);
  if (!existsSync(settings.path)) await updateSettings(settings, (empty) => ({ ...empty }));
  return missing;
}
