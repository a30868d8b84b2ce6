import { createHash } from "node:crypto";
import type { Clock } from "@anneal/adapters";
import { type FeatureStore, loadProjectContext } from "@anneal/adapters/features";
import { loadSettings } from "@anneal/adapters/files";
import type { Repo } from "@anneal/adapters/git";
import { DEFAULT_PROMPTS } from "@anneal/prompts";
import type { Feature, LoopEvent } from "@anneal/types";
import { type Cast, playersOf, policyNamed } from "../assemble.ts";
import type { Blobs } from "../embedded/index.ts";
import { projectChecks } from "./checks.ts";
import { branchOf, type FeatureLoop } from "./feature-loop.ts";

export interface PrepareArgs {
  root: string;
  repo: Repo;
  features: FeatureStore;
  blobs: Blobs;
  clock: Clock;
  cast: Cast;
}

type Started = Extract<LoopEvent, { type: "loop-started" }>;

/** Gathers what a feature's loop is made of: its worktree, its players, the project's steps, checks and context. */
export async function prepareFeature(
  args: PrepareArgs,
  feature: Feature,
  started: Started | undefined,
): Promise<FeatureLoop> {
  const { repo: main, features, blobs, clock, cast } = args;
  const policy = started?.policy ?? (await policyNamed(feature.policy ?? "gate"));
  const branch = branchOf(feature);
  const startPoint = started?.base ?? (await main.resolve(await main.defaultBranch()));
  const repo = await main.addWorktree({ path: `.worktrees/${feature.id}`, branch, startPoint });
  const model = feature.model;
  const { project, global } = await loadSettings(main.root);
  return {
    feature,
    policy,
    repo,
    branch,
    steps: await features.pipeline(),
    players: await playersOf(cast, { id: feature.id, policy, repo, ...(model === undefined ? {} : { model }) }),
    checks: projectChecks(repo, { ...global, ...project }),
    context: (await loadProjectContext(main.root)).context,
    blobs,
    clock,
  };
}

/** What a new loop is bound to, and why. */
export async function boundOf({ repo, cast }: PrepareArgs, feature: Feature) {
  const base = await repo.resolve(await repo.defaultBranch());
  const because = feature.policy === undefined ? "the default for features" : "the feature names it";
  const promptsHash = createHash("sha256").update(JSON.stringify(DEFAULT_PROMPTS)).digest("hex").slice(0, 16);
  return { base, because, agents: { ...cast }, promptsHash };
}
