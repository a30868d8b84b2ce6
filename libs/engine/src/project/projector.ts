import type { FeatureStore } from "@anneal/adapters/features";
import { brokenIteration, featureFields, iterationOf, reviewMarkdown } from "@anneal/core/write";
import type { LoopState, Policy } from "@anneal/types";
import type { LoopWorkArgs } from "../loop-work.ts";

export interface Projected {
  id: string;
  title: string;
  policy: Policy;
}

type Texts = Pick<LoopWorkArgs["blobs"], "getText">;

/** Writes what the log says about a feature into its files. Idempotent: it can be run again from any state. */
export async function projectFeature(
  features: FeatureStore,
  blobs: Texts,
  { id, title, policy, state }: Projected & { state: LoopState },
): Promise<void> {
  const textOf = (blob: string) => blobs.getText(blob);
  for (const [round, text] of outputsByRound(state, textOf)) await features.writeAgentOutput(id, round, text);
  const maxIterations = policy.limits.reviews;
  const broken = brokenIteration(state);
  const iterations = [...state.rounds.map((round) => iterationOf(round, textOf)), ...(broken === null ? [] : [broken])];
  for (const iteration of iterations) {
    await features.writeReview(id, iteration.iterationNumber, reviewMarkdown({ title, iteration, maxIterations }));
  }
  const fields = featureFields(policy, state, textOf);
  await features.update(id, (feature) => ({ ...feature, ...fields }));
}

/** Projections are written one after another, the latest state last; they never fail the loop. */
export function projections(
  features: FeatureStore,
  blobs: Texts,
  feature: Projected,
  onTrouble: (message: string) => void,
): { write(state: LoopState): void; done(): Promise<void> } {
  let last: Promise<void> = Promise.resolve();
  let waiting: LoopState | null = null;
  let told: string | null = null;
  const write = (state: LoopState) => {
    waiting = state;
    last = last.then(async () => {
      const next = waiting;
      waiting = null;
      if (next === null) return;
      const trouble = await projectFeature(features, blobs, { ...feature, state: next }).then(() => null, messageOf);
      // One that lasts is told once.
      if (trouble !== null && trouble !== told) onTrouble(trouble);
      told = trouble;
    });
  };
  return { write, done: () => last };
}

/** What agents said, by the round that it went into; several runs of one round are one text. */
function outputsByRound(state: LoopState, textOf: (blob: string) => string): Map<number, string> {
  const texts = new Map<number, string>();
  for (const { round, output } of state.outputs) {
    const before = texts.get(round);
    texts.set(round, before === undefined ? textOf(output) : `${before}\n\n---\n\n${textOf(output)}`);
  }
  return texts;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
