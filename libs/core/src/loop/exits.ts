import type {
  ActiveStage,
  Exit,
  LoopState,
  Outcome,
  Policy,
  SignalName,
  TrackedFinding,
  WaitReason,
} from "@anneal/types";
import { awaitsRuling } from "../lineage/silence.ts";
import { account } from "./budget.ts";
import { roundsDone } from "./rounds.ts";

/** Leaves the rounds by a policy's exit. What cannot be delivered, or must never be published, goes to a person. */
export function leave(policy: Policy, state: LoopState, exit: Exit, reason: WaitReason, detail: string): LoopState {
  switch (exit.to) {
    case "waiting-for-human":
      return wait(policy, state, reason, detail, exit.options);
    case "ended":
      if (exit.outcome === "passed" && !earned(state)) return wait(policy, state, reason, detail, ["retry"]);
      return end(state, exit.outcome, detail);
    case "opening-pr":
      if (isHalfBuilt(state)) return wait(policy, state, reason, detail, ["retry", "resume"]);
      // What nobody has reviewed goes out as a draft, whichever way it came here.
      return publish(policy, state, { draft: state.verdict?.head !== state.head, reason, detail });
    case "merging":
      if (state.head === null || isHalfBuilt(state)) return wait(policy, state, reason, detail, ["retry", "resume"]);
      return { ...shared(state), stage: "merging", head: state.head, merge: null };
  }
}

/** Where a head was judged before, a person can still do with it what could be done then. */
export function alsoAsBefore({ exits: { roundsRunOut } }: Policy, { verdict, head }: LoopState, exit: Exit): Exit {
  if (exit.to !== "waiting-for-human" || roundsRunOut.to !== "waiting-for-human" || verdict?.head !== head) return exit;
  return { ...exit, options: [...new Set([...exit.options, ...roundsRunOut.options])] };
}

/** Some tasks are committed and others not begun: nothing that could be delivered, whatever the policy says. */
export function isHalfBuilt({ tasks, step, rounds }: LoopState): boolean {
  return tasks.length > 0 && step === null && rounds.length === 0;
}

/** Leaves because a limit is reached. Where that ends or waits, it says what is stuck, the rounds so far, and the options. */
export function leaveAtLimit(
  policy: Policy,
  state: LoopState,
  exit: Exit,
  reason: WaitReason,
  limit: string,
): LoopState {
  const left = leave(policy, state, exit, reason, limit);
  return "detail" in left ? explained(policy, state, left) : left;
}

/** The day's use is at its cap: the work waits as it stands, whatever the policy does about its own caps. */
export function holdForDay(policy: Policy, state: LoopState, detail: string): LoopState {
  const { capped } = policy.exits;
  const own = capped.to === "waiting-for-human" ? capped.options : [];
  const held = wait(policy, state, "capped", detail, [...new Set<SignalName>(["resume", "retry", ...own])]);
  return explained(policy, state, { ...held, kept: { ...held.kept, cap: "day" } });
}

function explained(policy: Policy, before: LoopState, left: Waiting | Ended): LoopState {
  const options = left.stage === "ended" ? "" : `; possible: ${left.options.join(", ")}`;
  return { ...left, detail: `${left.detail}; ${account(policy, before)}${options}` };
}

type Waiting = Extract<LoopState, { stage: "waiting-for-human" }>;
type Ended = Extract<LoopState, { stage: "ended" }>;

/** On to the pull request, unless an open secret or critical finding would become public. */
export function publish(
  policy: Policy,
  state: LoopState,
  { draft, reason, detail, ...rest }: { draft: boolean; reason: WaitReason; detail: string; anew?: true | undefined },
): LoopState {
  if (state.head === null) return wait(policy, state, reason, detail, ["retry", "resume"]);
  const kept = state.findings.filter(neverPublished);
  if (kept.length > 0) {
    const held = wait(policy, state, "never-publish", keptBack(kept), ["refine", "take-over"]);
    return { ...held, kept: { ...held.kept, draft } };
  }
  return { ...shared(state), stage: "opening-pr", head: state.head, draft, ...anewOf(rest) };
}

/** One more review, while the policy, its hard cap and a person's extra rounds leave one. */
export function anotherReview(policy: Policy, state: LoopState, head: string): LoopState {
  const { reviews, granted } = state.cycle;
  const left = reviews < policy.limits.reviews + granted && !atHardCap(policy, state);
  if (left) return { ...shared(state), stage: "reviewing", head };
  const limit = "no round is left to review the last fix";
  return leaveAtLimit(policy, state, policy.exits.roundsRunOut, "rounds-exhausted", limit);
}

export function wait(
  policy: Policy,
  state: LoopState,
  reason: WaitReason,
  detail: string,
  options: readonly SignalName[],
): Waiting {
  const gone = new Set<SignalName>();
  if (atHardCap(policy, state)) gone.add("one-more");
  if (state.pr !== null || state.head === null) gone.add("skip");
  // Where nothing was committed there is nothing to accept.
  if (state.head === null) gone.add("accept");
  return {
    ...shared(state),
    stage: "waiting-for-human",
    reason,
    detail,
    options: [...options.filter((option) => !gone.has(option)), "stop"],
    ...cameFrom(state),
  };
}

export function end(state: LoopState, outcome: Outcome, detail: string): LoopState {
  const left = leftAt(state);
  return { ...shared(state), stage: "ended", outcome, detail, ...(left === undefined ? {} : { left }) };
}

function leftAt(state: LoopState): Ended["left"] {
  if (state.stage === "ended") return state.left;
  return state.stage === "waiting-for-human" ? { stage: state.backTo, reason: state.reason } : { stage: state.stage };
}

/** Whether the current head has a conclusive passing verdict of its own, and nobody merged another one. */
export function earned({ head, verdict, pr }: LoopState): boolean {
  if (pr?.mergedHead !== undefined) return false;
  return head !== null && verdict !== null && verdict.head === head && verdict.verdict.result === "pass";
}

type KeyOf<Union> = Union extends unknown ? keyof Union : never;

/** What only some stages hold. All else is carried along: a field that every stage has cannot be forgotten here. */
const OF_SOME_STAGES = {
  ...{ stage: true, of: true, plan: true, cause: true, problems: true, draft: true, anew: true, merge: true },
  ...{ reason: true, detail: true, options: true, backTo: true, kept: true, outcome: true, left: true },
} satisfies Record<Exclude<KeyOf<LoopState>, keyof LoopState> | "stage", true>;

/** What a stage hands on to the next one. */
export function shared(state: LoopState): Shared {
  const kept = Object.entries(state).filter(([key]) => !Object.hasOwn(OF_SOME_STAGES, key));
  // The type says which keys every stage has, and the table above which ones are left out.
  return { ...(Object.fromEntries(kept) as Shared), notBefore: null };
}

/** What every stage carries. */
export type Shared = Omit<Extract<LoopState, { stage: "reviewing" }>, "stage" | "head"> & { head: string | null };

/** A fresh account of reviews, fixes and money, from a person's word or for work that was never judged. */
export function newCycle(state: LoopState): Pick<LoopState, "cycle" | "repairs" | "breaks"> {
  const cycle = { reviews: 0, fixes: 0, granted: 0, tokens: 0, costUsd: 0, startedAt: state.lastAt };
  return { cycle, repairs: 0, breaks: 0 };
}

/** Rounds that the work had in earlier loops count, too: only work that is built anew starts anew. */
export function atHardCap({ limits }: Policy, state: LoopState): boolean {
  return limits.hardReviews !== undefined && roundsDone(state) - (state.droppedRounds ?? 0) >= limits.hardReviews;
}

/** What must not leave the machine while it is open, whatever the policy and its limits say. */
export function neverPublished(entry: TrackedFinding): boolean {
  const { finding, disposition } = entry;
  const unsettled = awaitsRuling(entry) || disposition.kind === "deferred";
  return unsettled && (finding.severity === "critical" || finding.rule === "secret");
}

/** Says why it is not pushed. What is put off is as open as before: only somebody who takes its risk settles it. */
export function keptBack(kept: readonly TrackedFinding[]): string {
  const what = kept.map(({ finding, disposition, fingerprint, heldIn }) => {
    const title = heldIn === undefined ? finding.title : `${finding.title}, finding ${fingerprint.slice(0, 12)}`;
    if (disposition.kind === "fixed") return `${title} (its code is gone, but no review has confirmed the fix)`;
    return disposition.kind === "deferred" ? `${title} (deferred; use accept-risk to publish it)` : title;
  });
  const searched = kept.every(({ heldIn }) => heldIn !== undefined);
  return `not pushed${searched ? ", because it would publish a secret" : " while these findings are open"}: ${what.join("; ")}`;
}

/** Whether a person has said that it is to be delivered once more. */
export function anewOf({ anew }: { anew?: true | undefined }): { anew?: true } {
  return anew === undefined ? {} : { anew };
}

type Way = Pick<Waiting, "backTo" | "kept">;

function cameFrom(state: LoopState): Way {
  switch (state.stage) {
    case "waiting-for-human":
      return { backTo: state.backTo, kept: state.kept };
    case "validating":
      return { backTo: "validating", kept: { of: state.of } };
    case "committing":
      return {
        backTo: "committing",
        kept: state.plan === null ? { of: state.of } : { of: state.of, plan: state.plan },
      };
    case "fixing":
      return { backTo: "fixing", kept: { cause: state.cause, problems: state.problems } };
    case "opening-pr":
      return { backTo: "opening-pr", kept: { draft: state.draft, ...anewOf(state) } };
    case "ended":
      return { backTo: "reviewing", kept: {} };
    default:
      return { backTo: state.stage satisfies ActiveStage, kept: {} };
  }
}
