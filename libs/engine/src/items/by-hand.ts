import type { FeatureSummary } from "@anneal/adapters/features";
import { isUnreviewed } from "@anneal/core";
import type { LoopSummary } from "../history/summary.ts";
import type { LogLoopRow } from "../log/index.ts";

const DONE = ["verified", "completed"];
const EARNED = ["passed", "merged", "accepted"];

/** Whether an item's pull request was merged by a person's decision, and nobody had reviewed what was merged. */
export function isMergedUnreviewed(row: LogLoopRow<LoopSummary> | undefined): boolean {
  return row?.stage === "ended" && row.summary.outcome === "merged" && isUnreviewed(row.summary);
}

/** Whether a feature counts as done though no loop and no review of another tool led there: somebody marked it by hand. */
export function isMarkedByHand(
  { status, review }: { status?: string | undefined; review?: FeatureSummary["review"] | undefined },
  row: LogLoopRow<LoopSummary> | undefined,
): boolean {
  if (!DONE.includes(status ?? "") || review?.status === "approved") return false;
  return row === undefined || (row.stage === "ended" && !isEarned(row));
}

/** Whether a loop ended with its work done. */
export function isEarned({ summary }: LogLoopRow<LoopSummary>): boolean {
  return EARNED.includes(summary.outcome ?? "");
}
