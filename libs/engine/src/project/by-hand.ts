import type { FeatureSummary } from "@anneal/adapters/features";
import type { LoopRow } from "../embedded/index.ts";
import type { LoopSummary } from "./summary.ts";

const DONE = ["verified", "completed"];
const EARNED = ["passed", "merged", "accepted"];

/** Whether a feature counts as done though no loop and no review of another tool led there: somebody marked it by hand. */
export function isMarkedByHand(
  { status, review }: { status?: string | undefined; review?: FeatureSummary["review"] | undefined },
  row: LoopRow<LoopSummary> | undefined,
): boolean {
  if (!DONE.includes(status ?? "") || review?.status === "approved") return false;
  return row === undefined || (row.stage === "ended" && !EARNED.includes(row.summary.outcome ?? ""));
}
