import type { Clock } from "@anneal/adapters";
import type { FeatureStore, FeatureSummary } from "@anneal/adapters/features";
import type { Blobs } from "../embedded/index.ts";
import { currentLoop, historyOf, loopsByItem } from "./loop-history.ts";
import { projectFeature } from "./projector.ts";
import type { ProjectStore } from "./store-log.ts";
import type { LoopSummary } from "./summary.ts";

/**
 * Writes the files that a killed owner could not write any more. Reviews that differ from the log are always behind it;
 * a status that differs may be a person's own move, unless the killed owner had touched the loop since `sinceMs`.
 */
export async function catchUp(
  store: ProjectStore,
  features: FeatureStore,
  blobs: Blobs,
  sinceMs: number | null,
): Promise<void> {
  const loops = loopsByItem(store);
  for (const entry of await features.list()) {
    const row = loops.get(entry.id);
    if (row?.kind !== "feature" || !("feature" in entry)) continue;
    const touched = sinceMs !== null && row.summary.lastAt >= sinceMs;
    const moved = touched && entry.feature.status !== row.summary.status;
    if (!moved && !isBehind(entry.feature, row.summary)) continue;
    const { policy, state } = historyOf(store, row);
    const { title } = row.summary;
    await projectFeature(features, blobs, { id: entry.id, title, policy, state }).catch(() => {});
  }
}

function isBehind({ review: written }: FeatureSummary, { review }: LoopSummary): boolean {
  if (review === null) return false;
  return written?.status !== review.status || written.currentIteration !== review.currentIteration;
}

const LOOKS = 40;
const PAUSE_MS = 50;

/** Waits a moment for the owner's files to follow its log, so that who looks next sees what was just reported. */
export async function untilWritten(
  store: ProjectStore,
  features: FeatureStore,
  items: Iterable<string>,
  clock: Clock,
): Promise<void> {
  const behind = async (id: string) => {
    const row = currentLoop(store, id);
    const entry = await features.get(id).catch(() => null);
    return row !== null && entry !== null && "feature" in entry && entry.feature.status !== row.summary.status;
  };
  const never = new AbortController().signal;
  for (const id of items) {
    for (let look = 0; look < LOOKS && (await behind(id)); look += 1) await clock.sleep(PAUSE_MS, never);
  }
}
