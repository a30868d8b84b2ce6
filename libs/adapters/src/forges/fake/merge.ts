import { failpoint } from "../../failpoint.ts";
import { ForgeError } from "../errors.ts";
import type { MergeRequest, MergeResult } from "../port.ts";
import { ask, type Desk, look, standingOf } from "./desk.ts";
import { type FakeState, type MergePlan, pullIn, type StoredPull } from "./state.ts";

/** Others may move the base while a merge is made; losing this often in a row does not happen by chance. */
const MAX_ATTEMPTS = 20;

/** Merges for real. The plan is on record before the base moves, so a kill between the two is seen and finished. */
export async function merge(
  desk: Desk,
  number: number,
  by: string,
  { method, expectedHead, message }: MergeRequest,
): Promise<MergeResult> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const pull = await settled(desk, number);
    if (pull.state === "merged") return alreadyMerged(pull, expectedHead);
    if (pull.state === "closed") return refused("the pull request is closed");
    if (pull.draft) return refused("the pull request is a draft");
    if (method === "rebase") return refused("this forge cannot rebase: merge or squash");
    const { branch: head, base } = await standingOf(desk, pull);
    if (head === null) return refused(`the branch ${pull.branch} is gone`);
    if (base === null) return refused(`the branch ${pull.base} is gone`);
    if (head !== expectedHead) return { result: "head-moved", head };
    if (await desk.repo.contains(base, head)) return refused(`${pull.base} holds all of ${pull.branch} already`);
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

/** The pull request as it is, after finishing a merge that somebody began and could not record. */
export async function settled(desk: Desk, number: number): Promise<StoredPull> {
  const pull = pullIn(await look(desk), number);
  if (pull.merging === null || pull.state !== "open") return pull;
  const { base } = await standingOf(desk, pull);
  if (base === null || !(await desk.repo.contains(base, pull.merging.commit))) return pull;
  return record(desk, number, pull.merging);
}

/** Two who merge at the same time from the same base make the same merge: the plan that is there wins. */
function planned(state: FakeState, number: number, plan: MergePlan): MergePlan | null {
  const pull = pullIn(state, number);
  if (pull.state !== "open") return null;
  const same = pull.merging !== null && pull.merging.head === plan.head && pull.merging.onto === plan.onto;
  if (!same) pull.merging = plan;
  return pull.merging;
}

async function carryOut(desk: Desk, pull: StoredPull, plan: MergePlan): Promise<boolean> {
  failpoint("forge.merge-ref.before");
  if (!(await desk.repo.move(pull.base, plan.commit, plan.onto))) return false;
  failpoint("forge.merge-ref.after");
  await record(desk, pull.number, plan);
  failpoint("forge.merge-record.after");
  return true;
}

function record(desk: Desk, number: number, plan: MergePlan): Promise<StoredPull> {
  return desk.store.change((state) => {
    const pull = pullIn(state, number);
    pull.state = "merged";
    pull.head = plan.head;
    pull.mergeCommit = plan.commit;
    pull.merging = null;
    return pull;
  });
}

function alreadyMerged({ head, mergeCommit }: StoredPull, expectedHead: string): MergeResult {
  if (head !== expectedHead) return { result: "head-moved", head };
  return { result: "merged", commit: mergeCommit ?? head };
}

function refused(reason: string): MergeResult {
  return { result: "not-mergeable", reason };
}
