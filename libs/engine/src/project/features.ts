import { featureCommitMessage } from "@anneal/core/write";
import type { Feature, LoopState } from "@anneal/types";
import { UsageError } from "../errors.ts";
import { loopWork } from "../loop-work.ts";
import { freeBranch } from "./free-branch.ts";
import { folderOf } from "./item-key.ts";
import type { Entry, ItemKind } from "./kind.ts";
import { FEATURE_DEFAULT } from "./policy-of.ts";
import { bonds, equip, type ProjectParts, termsOf } from "./prepare.ts";
import { projectFeature } from "./projector.ts";

const DEFAULT_PRIORITY = 2;

/** Features: `.automaker/features/{id}/`, each in a worktree and on a branch of its own. */
export function featureKind(parts: ProjectParts): ItemKind {
  const { repo: main, features, blobs } = parts;
  return {
    async entries(): Promise<Entry[]> {
      return (await features.list()).map((entry): Entry => {
        const { id } = entry;
        if (!("feature" in entry)) return { id, dependsOn: [], priority: DEFAULT_PRIORITY, standing: "damaged" };
        const { dependencies = [], priority = DEFAULT_PRIORITY, status } = entry.feature;
        return { id, dependsOn: dependencies, priority, standing: standingOf(status) };
      });
    },

    async prepare(id, request) {
      const feature = await readable(id);
      const item = { kind: "feature", id } as const;
      const { before } = request;
      const choice =
        feature.policy === undefined ? FEATURE_DEFAULT : { name: feature.policy, because: "the feature names it" };
      const terms = await termsOf(parts, request, item, { choice });
      const branch = branchOf(feature);
      const base = "started" in before ? before.started.base : await main.resolve(await main.defaultBranch());
      if ("earlierLoops" in before) await freeBranch(main, { branch, base, item: id, ...before });
      const repo = await main.addWorktree({ path: `.worktrees/${folderOf(item)}`, branch, startPoint: base });
      const equipped = await equip(parts, terms, { item, repo, base, model: feature.model, request });
      const steps = await features.pipeline();
      const title = titleOf(feature);
      const needsApproval = feature.skipTests === true;
      return {
        title,
        branch,
        policy: terms.policy,
        bound: { ...bonds(terms), base, head: null, needsApproval, steps: steps.map((step) => step.id) },
        work: loopWork({
          ...equipped,
          branch,
          workItem: {
            id,
            title,
            description: feature.description,
            ...(feature.spec === undefined ? {} : { spec: feature.spec }),
          },
          steps: Object.fromEntries(steps.map((step) => [step.id, step])),
          commitMessage: (state: LoopState) => featureCommitMessage(title, state.rounds.length + 1),
        }),
      };
    },

    project: (about, state, since) => projectFeature(features, blobs, about, state, since),
  };

  async function readable(id: string): Promise<Feature> {
    const stored = await features.get(id);
    if (stored === null) throw new UsageError(`there is no feature ${id}; anneal status lists them`);
    if ("damaged" in stored) throw new UsageError(`feature ${id} cannot be read: ${stored.damaged}`);
    return stored.feature;
  }
}

export function titleOf(feature: Feature): string {
  return feature.title ?? feature.description.split("\n")[0] ?? feature.id;
}

/** The branch of a feature: its own name for it, else one made of its id. */
function branchOf(feature: Feature): string {
  return feature.branchName ?? `feature/${feature.id}`;
}

function standingOf(status: string | undefined): Entry["standing"] {
  if (status === "verified" || status === "completed") return "done";
  return status === "backlog" ? "backlog" : "elsewhere";
}
