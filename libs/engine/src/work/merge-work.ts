import type { Clock } from "@anneal/adapters";
import { GitError, type Repo } from "@anneal/git";
import type { LoopState, MergePlan } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { UsageError } from "../errors/errors.ts";
import { shellWord } from "../errors/shell-word.ts";
import type { StageWork } from "../loop/driver.ts";
import { gitDate } from "./git-date.ts";
import type { RunChecks } from "./loop-work.ts";
import { isPartOf } from "./part-of.ts";

export interface MergeWorkArgs {
  /** The main work tree. */
  main: Repo;
  /** The branch that takes the work in. */
  into: string;
  message(state: LoopState): string;
  /** Where a conflict is, and what a person can do about it, as the rest of a sentence. */
  advice?: (state: Merging) => string | Promise<string>;
  /** The commands that go on after that. */
  next: string;
  /** Looks at the merged tree. Whatever it says, the merge stands. */
  validate?: (merge: MadeMerge, signal: AbortSignal) => ReturnType<RunChecks>;
  clock: Clock;
}

export interface MadeMerge {
  commit: string;
  /** Where the branch stood before, as far as that is known. */
  before: string;
  /** What was merged. */
  head: string;
}

/**
 * Merges a loop's head into a branch: decided, recorded, then carried out, so that a crash merges once.
 * Where another merge came first it is decided anew; a conflict is reported as such, and nothing moves.
 */
export function mergeInto({ main, into, clock, ...args }: MergeWorkArgs): StageWork["merging"] {
  const { message, advice, next, validate } = args;
  const at = () => clock.now();
  const merged = async (merge: MadeMerge, signal: AbortSignal) => {
    const checked = await validate?.(merge, signal).catch((error: unknown) => notValidated(error, signal));
    const results = checked === undefined ? {} : { checks: { result: checked.result, findings: checked.findings } };
    return { type: "merged", at: at(), commit: merge.commit, ...results } as const;
  };
  const decide = async (state: Merging, signal: AbortSignal) => {
    const request = { into, commit: state.head, message: message(state), date: gitDate(at()), ff: "never" } as const;
    const planned = await main.mergePlan(request);
    if (planned === "already") {
      return await merged({ commit: await main.resolve(into), before: state.base, head: state.head }, signal);
    }
    if (!(await isPartOf(main, state.base, into))) throw rewritten({ into, base: state.base, next });
    if ("conflicts" in planned) {
      const advised = advice === undefined ? {} : { advice: await advice(state) };
      return { type: "merge-conflicted", at: at(), files: planned.conflicts, ...advised } as const;
    }
    return { type: "merge-prepared", at: at(), plan: planned.plan } as const;
  };
  const carryOut = async (state: Merging, plan: MergePlan, signal: AbortSignal) => {
    try {
      const { commit } = await main.carryOutMerge(plan);
      return await merged({ commit, before: plan.parent, head: plan.merged }, signal);
    } catch (error) {
      if (error instanceof GitError && error.kind === "moved") return await decide(state, signal);
      throw error;
    }
  };
  return (state, signal) =>
    inTurn(`${main.commonDir} ${into}`, async () => {
      signal.throwIfAborted();
      return state.merge === null ? await decide(state, signal) : await carryOut(state, state.merge, signal);
    });
}

/** A merge would bring what is below along, and with it what people took out when they rewrote the branch. */
function rewritten({ into, base, next }: { into: string; base: string; next: string }): UsageError {
  const commit = base.slice(0, 12);
  const ways = `git merge ${commit} there restores it, and git merge -s ours ${commit} confirms that it stays out`;
  return new UsageError(
    `${shellWord(into)} does not contain ${commit} any more, where this work started: ${ways}; then ${next}`,
  );
}

type Merging = Extract<LoopState, { stage: "merging" }>;

/** A tree that nobody could look at is reported as such: a merge never passes unseen. */
function notValidated(error: unknown, signal: AbortSignal): Awaited<ReturnType<RunChecks>> {
  if (signal.aborted) throw error;
  const description = errorMessage(error);
  const title = "The checks could not run on the merged tree";
  return {
    result: "failed",
    findings: [{ rule: "merged-tree", category: "testing", severity: "high", title, description }],
  };
}

const last = new Map<string, Promise<unknown>>();

/** One merge into a branch at a time, its validation included: the next one starts from a tree that was looked at. */
function inTurn<T>(branch: string, work: () => Promise<T>): Promise<T> {
  const turn = (last.get(branch) ?? Promise.resolve()).then(work, work);
  last.set(branch, turn);
  const done = () => {
    if (last.get(branch) === turn) last.delete(branch);
  };
  void turn.then(done, done);
  return turn;
}
