import type { LoopEvent, LoopState, Policy } from "@anneal/types";
import { blocks } from "../findings/blocking.ts";
import { isUnsigned } from "../gate/approval.ts";
import { judge } from "../gate/gate.ts";
import { unjudgedMark } from "../gate/not-judged.ts";
import { close } from "./closing.ts";
import { anotherReview, atHardCap, earned, neverPublished, newCycle, publish, shared, wait } from "./exits.ts";
import { failed } from "./failing.ts";

type Disposed = Extract<LoopEvent, { type: "finding-disposed" }>;
type Waiting = Extract<LoopState, { stage: "waiting-for-human" }>;

/** The review has passed: the custom pipeline's steps come first, then the policy's exit. */
export function passed(policy: Policy, state: LoopState): LoopState {
  const [step, ...steps] = state.steps;
  if (step !== undefined && policy.exits.passed.to === "ended") {
    return { ...shared(state), steps, step, stage: "implementing" };
  }
  if (state.step !== null) return passed(policy, { ...state, step: null });
  // A step changed the code after its review: the verdict is void, and the result is judged like new work.
  if (!earned(state) && state.head !== null) return anotherReview(policy, { ...state, ...newCycle(state) }, state.head);
  const asks = ["approve", "refine"] as const;
  if (policy.pass.requirements === "judged" && state.verdict?.requirementsJudged === false) {
    return wait(policy, state, "requirements-not-judged", "the reviewer does not judge requirements", asks);
  }
  if (state.needsApproval && policy.exits.passed.to === "ended") {
    return wait(policy, state, "approval", "the review passed; a person has to verify the result", asks);
  }
  return close(policy, state, `the review passed${unjudgedMark(state)}`);
}

/** Whether a wait is about findings: a person's ruling on those is the answer. */
export function isAboutFindings(reason: string | null): boolean {
  return reason !== null && ABOUT_FINDINGS.includes(reason);
}

const ABOUT_FINDINGS: readonly string[] = ["never-publish", "rounds-exhausted", "oscillating", "stalled"];

/** A loop that waits because of a finding is judged anew once a person has ruled on it: nobody has to say more. */
export function judgedAnew(policy: Policy, before: LoopState, after: LoopState, event: Disposed): LoopState {
  if (after === before || after.stage !== "waiting-for-human" || !isAboutFindings(after.reason)) return after;
  const ruled = before.findings.find(({ fingerprint }) => fingerprint === event.fingerprint);
  if (ruled === undefined || event.disposition === "open") return after;
  if (ruled.disposition.kind !== "open" && !neverPublished(ruled)) return after;
  const judged = { ...after, verdict: verdictNow(policy, after) };
  if (wantsLook(policy, before, judged)) return lookAgain(policy, judged);
  if (after.reason === "never-publish") return goOn(policy, judged);
  const wasBlocking = before.verdict?.verdict.result === "fail" && blocks(policy.pass, ruled.finding);
  // Work that is not committed yet was never judged.
  return wasBlocking && after.tree === null && earned(judged) ? passed(policy, judged) : judged;
}

/** Whether a ruling took the last blocker of a review that never said that the change is good apart from it. */
function wantsLook(policy: Policy, { verdict: was }: LoopState, now: Waiting): boolean {
  if (was?.verdict.result !== "fail" || now.verdict?.verdict.result !== "inconclusive") return false;
  // Work that is not committed yet, and what was on its way out without a pass, go on as they were.
  if (now.tree !== null || now.kept.draft !== undefined) return false;
  const report = now.rounds.at(-1)?.report;
  return report !== undefined && isUnsigned(policy.pass, report);
}

/** The same head once more, also where the rounds are used up; only the hard cap stands above a person's ruling. */
function lookAgain(policy: Policy, state: Waiting): LoopState {
  const { cycle, head } = state;
  if (head === null || atHardCap(policy, state)) return state;
  const left = cycle.reviews < policy.limits.reviews + cycle.granted;
  const extra = left ? {} : { granted: cycle.granted + 1, fixes: cycle.fixes + 1 };
  return { ...shared(state), cycle: { ...cycle, ...extra }, stage: "reviewing", head };
}

/** The verdict on the current head, as it is without what a person has ruled on. */
function verdictNow(policy: Policy, { verdict, rounds, head, findings }: Waiting): LoopState["verdict"] {
  const round = rounds.at(-1);
  if (verdict === null || verdict.head !== head || verdict.verdict.result !== "fail" || round?.head !== head) {
    return verdict;
  }
  const { report, number } = round;
  const seen = { report, round: number, findings, requirementsJudged: verdict.requirementsJudged };
  return { ...verdict, verdict: judge(policy, seen) };
}

/** On to where it was going when it was held back: published as it is, unless something else has to be kept. */
function goOn(policy: Policy, state: Waiting): LoopState {
  if (earned(state) && state.backTo !== "opening-pr") return passed(policy, state);
  const { reason, detail, kept, head } = state;
  // A review held it, not a delivery: what else it found is as open as before.
  if (state.backTo === "reviewing" && kept.draft === undefined && head !== null) {
    const blocking = state.verdict?.verdict.result === "fail" ? state.verdict.verdict.blocking : [];
    return failed(policy, { ...shared(state), stage: "reviewing", head }, blocking);
  }
  return publish(policy, state, { draft: kept.draft ?? false, reason, detail });
}
