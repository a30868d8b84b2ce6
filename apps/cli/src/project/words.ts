import { isAboutFindings, unreviewedMark } from "@anneal/core";
import { WAITS } from "@anneal/core/show";
import type { LoopState, SignalName, Stage, WaitReason } from "@anneal/types";

/** What each signal leads to. */
export const LEADS_TO: Record<SignalName, string> = {
  approve: "accept the result as it is; the feature is done",
  accept: "accept the open findings and end the loop",
  refine: "send the change back to the fixer; --note says what to change",
  ready: "mark the pull request as ready for human review",
  retry: "retry the stage that stopped",
  resume: "continue, with new rounds if none are left; --note is for the fixer",
  "one-more": "allow one more fix and one more review",
  "take-over": "end the loop and continue by hand",
  skip: "open a draft pull request marked NOT REVIEWED",
  pause: "stop the work in progress; resume continues it",
  stop: "end the loop; a feature goes back to the backlog",
};

/** A plain branch is neither a feature nor published. */
const OF_A_BRANCH: Partial<Record<SignalName, string>> = {
  approve: "accept the result as it is; the branch stays where it is",
  skip: "end the loop without a review; nothing is pushed",
  stop: "end the loop; the branch stays where it is",
};

/** What is special about the other kinds. */
const OF_OTHERS: Record<string, Partial<Record<SignalName, string>>> = {
  branch: OF_A_BRANCH,
  story: {
    stop: "end the loop; the story is pending again, and its work is kept",
    "take-over": "end the loop and continue by hand; the story is blocked until you set status: review",
    accept: "accept the story with its open findings; it is not pushed while a finding forbids that",
  },
  ticket: { stop: "end the loop; the ticket fails, and anneal epic resume restarts it from scratch" },
  unit: { stop: "end the loop; the unit is pending again, and its branch stays where it is" },
  epic: { stop: "stop merging; merged tickets stay merged, and anneal epic resume merges the others" },
};

export function leadsTo(signal: SignalName, kind: string): string {
  const own = Object.hasOwn(OF_OTHERS, kind) ? OF_OTHERS[kind] : undefined;
  return own?.[signal] ?? LEADS_TO[signal];
}

/** What a person can do about findings that block. What must not be published stays that while it is put off. */
export function rulingsFor(reason: string | null): string {
  return reason === "never-publish" ? "dismiss | accept-risk" : "dismiss | accept-risk | defer";
}

/** Every way out of a wait, in one line. */
export function waysOut({ reason, legal, rulable }: Waits, name: string): string {
  const words = `anneal ${legal.join(" | ")} ${name}`;
  if (rulable === 0) return words;
  const on = isAboutFindings(reason) ? undefined : legal.find((signal) => GOES_ON.includes(signal));
  const then = on === undefined ? "" : `, then ${on}`;
  return `${words}; or rule on a blocking finding: anneal ${rulingsFor(reason)} ${name} FINGERPRINT --reason "…"${then}`;
}

interface Waits {
  reason: string | null;
  legal: readonly string[];
  rulable: number;
}

/** After a ruling, the first of these that is legal judges the change again. */
const GOES_ON = ["resume", "one-more", "retry", "refine"];

const STAGES: Record<Stage, string> = {
  implementing: "implementing",
  validating: "checking",
  committing: "committing",
  reviewing: "reviewing",
  fixing: "fixing",
  "opening-pr": "opening PR",
  "awaiting-feedback": "awaiting feedback",
  "waiting-for-human": "waits for you",
  merging: "merging",
  ended: "ended",
};

/** What a loop does, in a word or two. */
export function doing({ stage, outcome, step, kind }: Doing): string {
  if (stage === "ended") return outcome ?? "ended";
  // A plain branch is delivered nowhere: all that is left is to say so.
  const what = kind === "branch" && DELIVERY.includes(stage) ? "finishing" : STAGES[stage];
  return step === null ? what : `${what} (step ${step})`;
}

interface Doing {
  stage: Stage;
  outcome: string | null;
  step: string | null;
  /** Of the item. */
  kind?: string;
}

export const DELIVERY: readonly Stage[] = ["opening-pr", "merging"];

/** The same of a state, with the task that is worked on. */
export function doingNow({ stage, step, tasks, rounds, merges = [] }: LoopState, kind: string): string {
  const [task] = rounds.length === 0 ? tasks : [];
  const [merge] = merges;
  const what = doing({ stage, outcome: null, step, kind });
  if (merge !== undefined) return `${what} ${merge.id}, ${merges.length - 1} to follow`;
  return task === undefined ? what : `${what} task ${task}, ${tasks.length - 1} to follow`;
}

/** Where a state stands, in one line. */
export function standsAt(state: LoopState): string {
  if (state.stage === "ended") return `${state.outcome}: ${state.detail}`;
  if (state.stage !== "waiting-for-human") {
    return `${doing({ stage: state.stage, outcome: null, step: state.step })}${unreviewedMark(state)}`;
  }
  const told = `waits for a person: ${because(state.reason, state.detail)}`;
  // At a limit the detail lists them already.
  return told.includes("possible: ") ? told : `${told}; possible: ${state.options.join(", ")}`;
}

/** The reason of a wait with its detail, where that adds something. */
export function because(reason: string, detail: string): string {
  // What nobody has reviewed waits for people, but is not ready for them.
  if (reason === "ready-for-human" && detail.includes("NOT REVIEWED")) return `a person must decide (${detail})`;
  const words = Object.hasOwn(WAITS, reason) ? WAITS[reason as WaitReason] : reason;
  const more = addedBy(reason, detail);
  return more === "" ? words : `${words} (${more})`;
}

function addedBy(reason: string, detail: string): string {
  if (["approval", "no-change", "requirements-not-judged"].includes(reason)) return "";
  // It begins with what the words say.
  return reason === "stalled" ? detail.split("; ").slice(1).join("; ") : detail;
}
