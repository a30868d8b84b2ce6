import { type FixAccount, fixAccount, NO_FIX, type TouchedBefore, touchedBefore } from "@anneal/core";
import type { Repo } from "@anneal/git";
import type { WorkItemText } from "@anneal/prompts";
import type { LoopState } from "@anneal/types";
import { masked } from "../review/secrets/masked.ts";
import { isFix, scopeOf } from "./fix-scope.ts";

/** What the fix that is about to be committed settles, by the fixer's word and by the lines that it changed, and what else it touches. */
export async function accountOf(repo: Repo, state: LoopState, workItem: WorkItemText): Promise<FixAccount> {
  if (!isFix(state) || state.tree === null) return NO_FIX;
  const end = { head: state.tree, headKind: "tree" } as const;
  const touched: TouchedBefore[] = [];
  for await (const file of repo.changedFiles({ base: state.head, ...end })) {
    touched.push(touchedBefore(file));
  }
  const { strays = [], unnamed = [] } = (await scopeOf(repo, state, workItem, end)) ?? {};
  const beyond = [...strays.map(({ strayed }) => strayed.path), ...unnamed];
  // A commit message is for good, and reviewers quote secrets.
  return await masked({ ...fixAccount(state, touched), ...(beyond.length === 0 ? {} : { beyond }) });
}
