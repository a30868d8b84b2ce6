import type { FeatureStore } from "@anneal/adapters/features";
import { brokenReviewFile, featureFields, leavesSameFiles, reviewFileOf } from "@anneal/core/write";
import type { Feature, LoopState } from "@anneal/types";
import type { Workspaces } from "@anneal/workspace";
import { folderOf } from "../../history/item-key.ts";
import type { About } from "../../items/kind.ts";
import { isRefusalNote } from "../../items/refusal-note.ts";
import type { LoopWorkArgs } from "../../work/loop-work.ts";

type Texts = Pick<LoopWorkArgs["blobs"], "getText">;

/** Writes what the log says about a feature into its files; what a state before had written is left alone. */
export async function projectFeature(
  { features, blobs, workspaces }: { features: FeatureStore; blobs: Texts; workspaces: Pick<Workspaces, "pathOf"> },
  { id, title, policy }: About,
  state: LoopState,
  since: LoopState | null,
): Promise<void> {
  if (since !== null && leavesSameFiles(since, state)) return;
  const textOf = (blob: string) => blobs.getText(blob);
  const spoken = freshOutputs(state, since).map(({ round, step, outputs }) => {
    const output = outputs.map(textOf).join("\n\n---\n\n");
    if (step === undefined) return { iteration: round, output };
    // What a step said in an earlier loop stays, as its reviews do.
    return state.earlierRounds === 0 ? { step, output } : { step, output, from: state.earlierRounds + 1 };
  });
  const broken = brokenReviewFile(title, policy, state, textOf);
  const fresh = state.rounds.slice(since?.rounds.length ?? 0).map((round) => reviewFileOf(title, round, textOf));
  const reviews = broken === null ? fresh : [...fresh, broken];
  const said = [
    ...spoken,
    ...reviews.map(({ iterationNumber: iteration, markdown: review }) => ({ iteration, review })),
  ];
  const worktreePath = workspaces.pathOf(folderOf({ kind: "feature", id }));
  await features.record(id, said, (feature) => {
    const fields = featureFields(policy, state, textOf, feature.codeReviewSpec);
    // Why a move was put back was about where the loop stood then.
    const movedOn = fields.status !== feature.status || state.stage === "ended";
    return { ...(movedOn ? withoutRefusal(feature) : feature), ...fields, worktreePath };
  });
}

function withoutRefusal(feature: Feature): Feature {
  const { error, ...rest } = feature;
  return isRefusalNote(error) ? rest : feature;
}

interface Outputs {
  round: number;
  step: string | undefined;
  /** What all runs for it said, in order. */
  outputs: string[];
}

/** What agents said for a round or a pipeline step, where that has grown; what was said last comes last. */
function freshOutputs({ outputs: all }: LoopState, since: LoopState | null): Outputs[] {
  const grown = new Map<string, Outputs>();
  for (const { round, step } of all.slice(since?.outputs.length ?? 0)) {
    const key = step === undefined ? `round ${round}` : `step ${step}`;
    const same = all.filter((one) => one.step === step && (step !== undefined || one.round === round));
    grown.delete(key);
    grown.set(key, { round, step, outputs: same.map(({ output }) => output) });
  }
  return [...grown.values()];
}
