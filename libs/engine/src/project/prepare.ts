import { createHash } from "node:crypto";
import type { Clock } from "@anneal/adapters";
import { type FeatureStore, loadProjectContext } from "@anneal/adapters/features";
import { loadSettings } from "@anneal/adapters/files";
import type { Repo } from "@anneal/adapters/git";
import { DEFAULT_PROMPTS } from "@anneal/prompts";
import type { Feature, ProjectSettings } from "@anneal/types";
import { type Cast, playersOf } from "../assemble.ts";
import type { Blobs } from "../embedded/index.ts";
import { UsageError } from "../errors.ts";
import { projectChecks } from "../project-checks.ts";
import { castFor, castOfSettings } from "./cast.ts";
import { branchOf, type FeatureLoop } from "./feature-loop.ts";
import { freeBranch } from "./free-branch.ts";
import type { Started } from "./loop-history.ts";
import { policyOf } from "./policy-of.ts";

export interface PrepareArgs {
  repo: Repo;
  features: FeatureStore;
  blobs: Blobs;
  clock: Clock;
  /** Who was named for this very run. */
  told: Partial<Cast>;
  /** Ends a set-up under way. */
  signal: AbortSignal;
}

/** A loop's bonds, besides what is in it anyway. */
export interface Bound {
  base: string;
  because: string;
  agents: Record<string, string>;
  promptsHash: string;
}

/** Gathers what a feature's loop is made of: its worktree, its players, the project's steps, checks and context. */
export async function prepareFeature(
  args: PrepareArgs,
  feature: Feature,
  before: { started: Started } | { earlierLoops: number },
): Promise<{ loop: FeatureLoop; bound: Bound }> {
  const { repo: main, features, blobs, clock } = args;
  const started = "started" in before ? before.started : undefined;
  const loaded = await loadSettings(main.root);
  const { settings, project, global } = loaded;
  const chosen = started ?? (await policyOf(feature.policy, settings, main.root));
  const cast = castFor(args.told, started?.agents, castOfSettings(loaded, main.root));
  const branch = branchOf(feature);
  const base = started?.base ?? (await main.resolve(await main.defaultBranch()));
  if ("earlierLoops" in before) await freeBranch(main, { branch, base, item: feature.id, ...before });
  const repo = await main.addWorktree({ path: `.worktrees/${feature.id}`, branch, startPoint: base });
  await makeReady(repo, { ...global.worktree, ...project.worktree }, args.signal);
  const model = feature.model ?? project.defaultModel ?? global.defaultModel;
  const { policy, because } = chosen;
  const promptsHash = createHash("sha256").update(JSON.stringify(DEFAULT_PROMPTS)).digest("hex").slice(0, 16);
  return {
    bound: { base, because, agents: { ...cast }, promptsHash },
    loop: {
      feature,
      policy,
      repo,
      branch,
      steps: await features.pipeline(),
      players: await playersOf(cast, { id: feature.id, policy, repo, ...(model === undefined ? {} : { model }) }),
      checks: projectChecks(repo, { ...global, ...project }, { main, base }),
      context: (await loadProjectContext(main.root)).context,
      blobs,
      clock,
    },
  };
}

/** Copies files into a fresh worktree and runs the project's set-up commands there, as the settings say. */
async function makeReady(
  repo: Repo,
  { setup = [], copy = [] }: NonNullable<ProjectSettings["worktree"]>,
  signal: AbortSignal,
): Promise<void> {
  if (setup.length === 0 && copy.length === 0) return;
  const { runSetup } = await import("@anneal/adapters/checks");
  const done = await runSetup(repo, { setup, copy, signal });
  if (done.result !== "failed") return;
  const last = done.output.trim().split("\n").at(-1) ?? "";
  throw new UsageError(`the set-up of its worktree fails at ${done.failed}: ${last}`);
}
