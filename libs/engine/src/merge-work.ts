import type { Clock } from "@anneal/adapters";
import { GitError, type Repo } from "@anneal/adapters/git";
import type { LoopState } from "@anneal/types";
import type { StageWork } from "./driver.ts";
import { gitDate } from "./git-date.ts";

export interface MergeWorkArgs {
  /** The main work tree. */
  main: Repo;
  /** The branch that takes the work in. */
  into: string;
  message(state: LoopState): string;
  clock: Clock;
}

/**
 * Merges a loop's head into a branch: decided, recorded, then carried out, so that a crash merges once.
 * Where another merge came first it is decided anew; a conflict is told as such, and nothing moves.
 */
export function mergeInto({ main, into, message, clock }: MergeWorkArgs): StageWork["merging"] {
  const at = () => clock.now();
  const decide = async (state: Parameters<StageWork["merging"]>[0]) => {
    const request = { into, commit: state.head, message: message(state), date: gitDate(at()), ff: "never" } as const;
    const planned = await main.mergePlan(request);
    if (planned === "already") return { type: "merged", at: at(), commit: await main.resolve(into) } as const;
    if ("conflicts" in planned) return { type: "merge-conflicted", at: at(), files: planned.conflicts } as const;
    return { type: "merge-prepared", at: at(), plan: planned.plan } as const;
  };
  return async (state) => {
    if (state.merge === null) return await decide(state);
    try {
      const { commit } = await main.carryOutMerge(state.merge);
      return { type: "merged", at: at(), commit };
    } catch (error) {
      if (error instanceof GitError && error.kind === "moved") return await decide(state);
      throw error;
    }
  };
}
