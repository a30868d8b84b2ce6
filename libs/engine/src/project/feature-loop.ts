import type { Clock } from "@anneal/adapters";
import type { Repo } from "@anneal/adapters/git";
import { featureCommitMessage } from "@anneal/core/write";
import type { ProjectContext } from "@anneal/prompts";
import type { Feature, LoopEvent, LoopState, PipelineStep, Policy } from "@anneal/types";
import type { StageWork } from "../driver.ts";
import { type Checks, type LoopWorkArgs, loopWork, type Players } from "../loop-work.ts";

type Started = Extract<LoopEvent, { type: "loop-started" }>;

/** Everything that a feature's loop is made of. */
export interface FeatureLoop {
  feature: Feature;
  policy: Policy;
  repo: Repo;
  branch: string;
  steps: PipelineStep[];
  players: Players;
  checks: Checks;
  context?: ProjectContext;
  blobs: LoopWorkArgs["blobs"];
  clock: Clock;
}

export function titleOf(feature: Feature): string {
  return feature.title ?? feature.description.split("\n")[0] ?? feature.id;
}

/** The branch of a feature: its own name for it, else one made of its id. */
export function branchOf(feature: Feature): string {
  return feature.branchName ?? `feature/${feature.id}`;
}

/** The first event of a feature's loop: what it is bound to, whatever the settings say later. */
export function featureStarted(
  { feature, policy, steps, clock }: FeatureLoop,
  bound: { loopId: string; base: string; because: string; agents: Record<string, string>; promptsHash: string },
): Started {
  return {
    type: "loop-started",
    at: clock.now(),
    item: { kind: "feature", id: feature.id },
    policy,
    head: null,
    needsApproval: feature.skipTests === true,
    steps: steps.map((step) => step.id),
    ...bound,
  };
}

/** The work of a feature's loop in its own worktree. */
export function featureWork(loop: FeatureLoop): StageWork {
  const { feature, steps, context, ...rest } = loop;
  const title = titleOf(feature);
  return loopWork({
    ...rest,
    workItem: {
      id: feature.id,
      title,
      description: feature.description,
      ...(feature.spec === undefined ? {} : { spec: feature.spec }),
    },
    steps: Object.fromEntries(steps.map(({ id, name, instructions }) => [id, { name, instructions }])),
    commitMessage: (state: LoopState) => featureCommitMessage(title, state.rounds.length + 1),
    ...(context === undefined ? {} : { context }),
  });
}
