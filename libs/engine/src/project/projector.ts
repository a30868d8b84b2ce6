import type { FeatureStore } from "@anneal/adapters/features";
import { brokenIteration, featureFields, iterationOf, reviewMarkdown } from "@anneal/core/write";
import type { LoopState } from "@anneal/types";
import type { LoopWorkArgs } from "../loop-work.ts";
import type { About, ItemKind } from "./kind.ts";

type Texts = Pick<LoopWorkArgs["blobs"], "getText">;

/** Writes what the log says about a feature into its files; what a state before had written is left alone. */
export async function projectFeature(
  features: FeatureStore,
  blobs: Texts,
  { id, title, policy }: About,
  state: LoopState,
  since: LoopState | null,
): Promise<void> {
  const textOf = (blob: string) => blobs.getText(blob);
  const outputs = state.outputs.slice(since?.outputs.length ?? 0);
  for (const round of new Set(outputs.map((one) => one.round))) {
    await features.writeAgentOutput(id, round, outputOf(state, round, textOf));
  }
  const maxIterations = policy.limits.reviews;
  const broken = brokenIteration(state);
  const fresh = state.rounds.slice(since?.rounds.length ?? 0).map((round) => iterationOf(round, textOf));
  for (const iteration of [...fresh, ...(broken === null ? [] : [broken])]) {
    await features.writeReview(id, iteration.iterationNumber, reviewMarkdown({ title, iteration, maxIterations }));
  }
  const fields = featureFields(policy, state, textOf);
  await features.update(id, (feature) => ({ ...feature, ...fields }));
}

/** What agents said for one round; several runs of one round are one text. */
function outputOf(state: LoopState, round: number, textOf: (blob: string) => string): string {
  const texts = state.outputs.filter((one) => one.round === round).map(({ output }) => textOf(output));
  return texts.join("\n\n---\n\n");
}

export interface Projections {
  write(state: LoopState, seq: number): void;
  done(): Promise<void>;
}

/** Projections are written one after another, the latest state last; they never fail the loop. */
export function projections(
  kind: Pick<ItemKind, "project">,
  about: About,
  { onWritten, onTrouble }: { onWritten: (seq: number) => void; onTrouble: (message: string) => void },
): Projections {
  let last: Promise<void> = Promise.resolve();
  let waiting: { state: LoopState; seq: number } | null = null;
  let written: LoopState | null = null;
  let told: string | null = null;
  const writeNext = async () => {
    const next = waiting;
    waiting = null;
    if (next === null) return;
    const trouble = await kind.project(about, next.state, written).then(() => null, messageOf);
    if (trouble === null) {
      written = next.state;
      onWritten(next.seq);
    } else if (trouble !== told) onTrouble(trouble); // One that lasts is told once.
    told = trouble;
  };
  return {
    write(state, seq) {
      waiting = { state, seq };
      last = last.then(writeNext);
    },
    done: () => last,
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
