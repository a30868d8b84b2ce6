import { isAboutFindings, unreviewedMark } from "@anneal/core";
import { WAITS } from "@anneal/core/show";
import type { LoopState, SignalName, Stage, WaitReason } from "@anneal/types";

/** What each signal leads to. */
export const LEADS_TO: Record<SignalName, string> = {
  approve: "takes the result as it is; the feature is done",
  accept: "ends the loop with its open findings, on your word",
  refine: "back to the fixer; --note says what to change",
  ready: "marks it as ready for a person's review",
  retry: "tries the stage that stopped once more",
  resume: "goes on, after the last round with a fresh set of rounds; --note tells the fixer what matters",
  "one-more": "grants one more fix and one more review",
  "take-over": "ends the loop; the work is yours from here",
  skip: "opens a draft pull request marked NOT REVIEWED",
  pause: "stops the work under way; resume goes on with it",
  stop: "ends the loop; a feature goes back to the backlog",
};

/** A plain branch is neither a feature nor published. */
const OF_A_BRANCH: Partial<Record<SignalName, string>> = {
  approve: "takes the result as it is; the branch stays where it stands",
  skip: "ends the loop without a review; nothing is pushed",
  stop: "ends the loop; the branch stays where it stands",
};

/** What is special about the other kinds. */
const OF_OTHERS: Record<string, Partial<Record<SignalName, string>>> = {
  branch: OF_A_BRANCH,
  story: {
    stop: "ends the loop; the story is pending again, and its work is kept",
    "take-over": "ends the loop; the story is blocked and the work is yours; status: review has it reviewed again",
    accept: "takes the story with its open findings, on your word; what must not be published is not pushed",
  },
  ticket: { stop: "ends the loop; the ticket has failed, and anneal epic resume starts it anew" },
  unit: { stop: "ends the loop; the unit is pending again, and its branch stays where it stands" },
  epic: { stop: "ends the merging; what is merged stays, and anneal epic resume goes on with the rest" },
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
  return `${words}; or rule on what blocks: anneal ${rulingsFor(reason)} ${name} FINGERPRINT --reason "…"${then}`;
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
  if (reason === "ready-for-human" && detail.includes("NOT REVIEWED"))
    return `it waits for a person's word (${detail})`;
  const words = Object.hasOwn(WAITS, reason) ? WAITS[reason as WaitReason] : reason;
  const more = addedBy(reason, detail);
  return more === "" ? words : `${words} (${more})`;
}

function addedBy(reason: string, detail: string): string {
  if (["approval", "no-change", "requirements-not-judged"].includes(reason)) return "";
  // It begins with what the words say.
  return reason === "stalled" ? detail.split("; ").slice(1).join("; ") : detail;
}
