import { failpoint } from "@anneal/system/failpoint";
import { ForgeError } from "../contract/errors.ts";
import type { ForgeMergeRequest, MergeResult } from "../contract/port.ts";
import { ask, type FakeContext, look, pullRequestRefsOf } from "./context.ts";
import { type FakeMergePlan, type FakeState, pullIn, type StoredPull } from "./state.ts";

/** Others may move the base while a merge is made; losing this often in a row does not happen by chance. */
const MAX_ATTEMPTS = 20;

/** Merges for real. The plan is on record before the base moves, so a kill between the two is seen and finished. */
export async function merge(
  desk: FakeContext,
  number: number,
  by: string,
  { method, expectedHead, message }: ForgeMergeRequest,
): Promise<MergeResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const pull = await settled(desk, number);
    if (pull.state === "merged") return alreadyMerged(pull, expectedHead);
    if (pull.state === "closed") return refused("the pull request is closed");
    if (pull.draft) return refused("the pull request is a draft");
    if (method === "rebase") return refused("this forge cannot rebase: merge or squash");
    const { branch: head, base } = await pullRequestRefsOf(desk, pull);
    if (head === null) return refused(`the branch ${pull.branch} is gone`);
    if (base === null) return refused(`the branch ${pull.base} is gone`);
    if (head !== expectedHead) return { result: "head-moved", head };
    if (await desk.repo.contains(base, head)) {
      const now = await settled(desk, number);
      if (now.state === "merged") return alreadyMerged(now, expectedHead);
      return refused(`${pull.base} already contains ${pull.branch}`);
    }
    const merged = await desk.repo.merge(base, head);
    if ("conflicts" in merged) return { result: "conflict", files: merged.conflicts };
    const commit = await desk.repo.commit({
      tree: merged.tree,
      parents: method === "merge" ? [base, head] : [base],
      message: message ?? `Merge pull request ${number} from ${pull.branch}\n`,
      author: by,
      at: desk.clock.now(),
    });
    failpoint("forge.merge-plan.before");
    const plan = await ask(desk, (state) => planned(state, number, { commit, head, onto: base }));
    failpoint("forge.merge-plan.after");
    if (plan === null || !(await carryOut(desk, pull, plan))) continue;
    return { result: "merged", commit: plan.commit };
  }
  throw new ForgeError("unavailable", `pull request ${number} was not merged: others keep moving its base, try again`);
}

/** The pull request as it is, after recording a merge that somebody began and could not record, or that came about without the forge. */
export async function settled(desk: FakeContext, number: number): Promise<StoredPull> {
  for (;;) {
    const pull = pullIn(await look(desk), number);
    const done = pull.state === "open" ? await mergeThatHappened(desk, pull) : null;
    const after = done === null ? pull : await record(desk, number, done, pull);
    if (after !== null) return after;
  }
}

/** What the base holds of a pull request: the merge that was planned, or its head, which somebody has brought there. */
async function mergeThatHappened(desk: FakeContext, pull: StoredPull): Promise<FakeMergePlan | null> {
  const { repo } = desk;
  const { head, base } = await pullRequestRefsOf(desk, pull);
  if (base === null) return null;
  if (pull.merging !== null && (await repo.contains(base, pull.merging.commit))) return pull.merging;
  // A branch that was put back to the base brings nothing there.
  const isBrought = (await repo.contains(base, head)) && (await repo.contains(head, pull.head));
  return isBrought ? { commit: head, head, onto: base } : null;
}

/** Two who merge at the same time from the same base make the same merge: the plan that is there wins. */
function planned(state: FakeState, number: number, plan: FakeMergePlan): FakeMergePlan | null {
  const pull = pullIn(state, number);
  if (pull.state !== "open") return null;
  const same = pull.merging !== null && pull.merging.head === plan.head && pull.merging.onto === plan.onto;
  if (!same) pull.merging = plan;
  return pull.merging;
}

async function carryOut(desk: FakeContext, pull: StoredPull, plan: FakeMergePlan): Promise<boolean> {
  failpoint("forge.merge-ref.before");
  if (!(await desk.repo.move(pull.base, plan.commit, plan.onto))) return false;
  failpoint("forge.merge-ref.after");
  await record(desk, pull.number, plan);
  failpoint("forge.merge-record.after");
  return true;
}

/** Null where another merge was planned since the pull request was seen: that one may be what the base holds. */
function record(desk: FakeContext, number: number, done: FakeMergePlan, seen?: StoredPull): Promise<StoredPull | null> {
  return desk.store.change((state) => {
    const pull = pullIn(state, number);
    if (pull.state !== "open") return pull;
    if (seen !== undefined && pull.merging?.commit !== seen.merging?.commit) return null;
    return Object.assign(pull, { state: "merged", head: done.head, mergeCommit: done.commit, merging: null });
  });
}

function alreadyMerged({ head, mergeCommit }: StoredPull, expectedHead: string): MergeResult {
  if (head !== expectedHead) return { result: "head-moved", head };
  return { result: "merged", commit: mergeCommit ?? head };
}

function refused(reason: string): MergeResult {
  return { result: "not-mergeable", reason };
}
