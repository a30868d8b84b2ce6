import type { ApiRailStop, ItemRef, LoopState, Policy, Stage } from "@anneal/types";
import { listens } from "../loop/delivery.ts";
import { shared } from "../loop/exits.ts";
import { seedState } from "./seed-state.ts";

export interface RailSource {
  kind: ItemRef["kind"];
  policy: Policy;
  state: LoopState;
  /** The stage after each event of the loop, in order. */
  stages: readonly Stage[];
}

/** The way of a loop as stops on a rail: those that its policy leads through, and those that it came to all the same. */
export function railOf({ kind, policy, state, stages }: RailSource): ApiRailStop[] {
  const visits = visitsOf(stages);
  const came = (stage: Stage) => visits.get(stage) ?? 0;
  const drawn = ORDER.filter((stage) => came(stage) > 0 || leadsThrough(policy, state, stage));
  return drawn.map((stage) => ({
    stage,
    name: seedState(kind, policy, at(state, stage, policy)),
    standing: standingOf(state, stage, came(stage), waitsAt(state, drawn)),
    visits: came(stage),
  }));
}

const ORDER = [
  "implementing",
  "validating",
  "committing",
  "reviewing",
  "fixing",
  "opening-pr",
  "awaiting-feedback",
  "merging",
  "ended",
] as const satisfies readonly Stage[];
type Drawn = (typeof ORDER)[number];

function leadsThrough({ limits, exits, afterPr }: Policy, { merges, rounds, head }: LoopState, stage: Drawn): boolean {
  const opens = exits.passed.to === "opening-pr";
  const listens = opens && afterPr === "await-feedback";
  switch (stage) {
    case "implementing":
      // A branch that existed already is never built here.
      return merges === undefined && head === null && rounds.length === 0;
    case "validating":
    case "committing":
      return merges === undefined && (head === null || limits.fixes > 0);
    case "reviewing":
      return merges === undefined && limits.reviews > 0;
    case "fixing":
      return merges === undefined && limits.fixes > 0;
    case "opening-pr":
      return opens;
    case "awaiting-feedback":
      return listens;
    case "merging":
      return exits.passed.to === "merging" || listens;
    case "ended":
      return true;
  }
}

function visitsOf(stages: readonly Stage[]): Map<Stage, number> {
  const visits = new Map<Stage, number>();
  for (const [index, stage] of stages.entries())
    if (stage !== stages[index - 1]) visits.set(stage, (visits.get(stage) ?? 0) + 1);
  return visits;
}

/** A pull request that is open and listened to waits for feedback, also where the last that was done was to push to it. */
function waitsAt(state: LoopState, drawn: readonly Drawn[]): Stage | null {
  if (state.stage !== "waiting-for-human") return null;
  return state.pr !== null && listens(state) && drawn.includes("awaiting-feedback")
    ? "awaiting-feedback"
    : state.backTo;
}

function standingOf(state: LoopState, stage: Drawn, visits: number, waitsAt: Stage | null): ApiRailStop["standing"] {
  if (state.stage === stage) return state.stage === "ended" ? "done" : "now";
  if (waitsAt === stage) return "waiting";
  if (stage === "reviewing") return reviewStanding(state, visits);
  if (visits > 0) return "done";
  return state.stage === "ended" ? "skipped" : "ahead";
}

/** To have been there is not enough: a review counts once it has come to a verdict, past it to one on the head itself. */
function reviewStanding(state: LoopState, visits: number): ApiRailStop["standing"] {
  const { head, verdict, rounds } = state;
  const place = state.stage === "waiting-for-human" ? state.backTo : state.stage;
  const isPast = ORDER.indexOf(place) > ORDER.indexOf("fixing");
  if (isPast && visits > 0) return verdict !== null && verdict.head === head ? "done" : "skipped";
  if (rounds.length > 0) return "done";
  return state.stage === "ended" ? "skipped" : "ahead";
}

/** The loop as it is or would be in a stage: enough to ask what that is called. */
function at(state: LoopState, stage: Drawn, { exits, afterPr }: Policy): LoopState {
  if (state.stage === stage) return state;
  const rest = shared(state);
  const head = state.head ?? "";
  switch (stage) {
    case "implementing":
      return { ...rest, stage };
    case "validating":
      return { ...rest, stage, of: "implementation" };
    case "committing":
      return { ...rest, stage, of: "implementation", plan: null };
    case "reviewing":
      return { ...rest, stage, head };
    case "fixing":
      // Whoever fixes has been reviewed, whether that is so by now or will be.
      return { ...rest, rounds: [...rest.rounds, SOME_ROUND], stage, cause: "review", problems: [] };
    case "opening-pr":
      return { ...rest, verdict: { head, ...PASSING }, stage, head, draft: false };
    case "awaiting-feedback":
      return { ...rest, stage, head, pr: rest.pr ?? { number: 1, url: "", draft: false } };
    case "merging":
      return { ...rest, stage, head, merge: null };
    case "ended": {
      const merges =
        exits.passed.to === "merging" || (exits.passed.to === "opening-pr" && afterPr === "await-feedback");
      return { ...rest, stage, outcome: merges ? "merged" : "passed", detail: "" };
    }
  }
}

const PASSING = { verdict: { result: "pass", reason: "" }, requirementsJudged: true } as const;

const SOME_ROUND: LoopState["rounds"][number] = {
  number: 1,
  head: "",
  reviewedAt: 0,
  report: { status: "complete", claim: null, findings: [], summary: "", rulings: [], notes: [] },
  verdict: PASSING.verdict,
  by: { agent: "", model: null, provider: null },
  diff: null,
  coverage: { reviewed: [], skipped: [] },
  lastAllowed: 1,
};
