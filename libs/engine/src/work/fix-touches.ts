import { type FixAccount, fixAccount, NO_FIX, type TouchedBefore, touchedBefore } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { LoopState } from "@anneal/types";
import { masked } from "../review/secrets/masked.ts";

/** What the fix that is about to be committed settles, by the fixer's word and by the lines that it changed. */
export async function accountOf(repo: Repo, state: Extract<LoopState, { stage: "committing" }>): Promise<FixAccount> {
  const { head, tree, of } = state;
  if (state.rounds.length === 0 || state.step !== null || head === null || tree === null) return NO_FIX;
  if (of === "documents" || of === "resolution") return NO_FIX;
  const touched: TouchedBefore[] = [];
  for await (const file of repo.changedFiles({ base: head, head: tree, headKind: "tree" })) {
    touched.push(touchedBefore(file));
  }
  // A commit message is for good, and reviewers quote secrets.
  return await masked(fixAccount(state, touched));
}
