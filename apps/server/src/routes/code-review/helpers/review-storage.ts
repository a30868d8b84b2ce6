import { basename, dirname, join, resolve } from "node:path";
import type { FeatureStore } from "@anneal/adapters/features";
import { POLICIES } from "@anneal/core";
import { reviewMarkdown } from "@anneal/core/write";
import type { CodeReviewIteration, Feature } from "@anneal/types";
import { RequestProblem } from "../../../problem.ts";

/** The features that a folder may belong to. */
export interface ReviewShelf {
  root: string;
  features: Pick<FeatureStore, "get" | "record">;
}

/** Writes a review beside its feature.json. */
export async function saveCodeReviewMarkdown(
  shelf: ReviewShelf,
  featureDir: string,
  iteration: CodeReviewIteration,
): Promise<void> {
  const { id, feature } = await featureIn(shelf, featureDir);
  const { iterationNumber } = iteration;
  const maxIterations = Math.max(
    iterationNumber,
    feature.codeReviewSpec?.maxIterations ?? POLICIES.gate.limits.reviews,
  );
  const review = reviewMarkdown({ title: feature.title ?? id, iteration, maxIterations });
  await shelf.features.record(id, [{ iteration: iterationNumber, review }]);
}

/** The reviews before an iteration, as feature.json has them. */
export async function getPreviousReviewFindings(
  shelf: ReviewShelf,
  featureDir: string,
  iterationNumber: number,
): Promise<CodeReviewIteration[]> {
  const { feature } = await featureIn(shelf, featureDir);
  return (feature.codeReviewSpec?.iterations ?? []).filter((one) => one.iterationNumber < iterationNumber);
}

async function featureIn(
  { root, features }: ReviewShelf,
  featureDir: string,
): Promise<{ id: string; feature: Feature }> {
  const folder = resolve(featureDir);
  const id = basename(folder);
  if (dirname(folder) !== join(root, ".automaker/features"))
    throw new RequestProblem("bad-request", `featureDir is not the folder of a feature in ${root}`);
  const stored = await features.get(id);
  if (stored === null) throw new RequestProblem("not-found", `there is no feature ${id}`);
  if ("damaged" in stored) throw new RequestProblem("conflict", `feature ${id} cannot be read: ${stored.damaged}`);
  return { id, feature: stored.feature };
}
