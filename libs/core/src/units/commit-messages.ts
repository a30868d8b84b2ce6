import type { LoopState } from "@anneal/types";
import type { FixAccount } from "../lineage/fix-account.ts";
import { oneLine } from "../text/text.ts";
import { leftLines } from "../write/fix-lines.ts";

/** The message of a commit of a unit's loop: a task, or the fix that answers the review of them all. */
export function unitCommitMessage(
  { unit, task }: { unit: string; task: string },
  state: LoopState,
  fix: FixAccount,
): string {
  if (state.rounds.length > 0) return `fix: address code review feedback${leftLines(fix)}`;
  return `feat(${oneLine(unit)}): ${oneLine(task) || "task"}`;
}

/** The message of the merge of a unit into the feature branch. */
export function unitMergeMessage({ unit, into }: { unit: string; into: string }): string {
  return `Merge unit ${oneLine(unit)} into ${oneLine(into)}`;
}
