import { join, resolve } from "node:path";
import type { Clock } from "@anneal/adapters";
import type { FeatureStore } from "@anneal/adapters/features";
import { featureStatus, roundsDone } from "@anneal/core";
import { toldSummary } from "@anneal/core/write";
import type { CodeReviewResult, GenerateReviewRequest, LoopState } from "@anneal/types";
import { untilWritten } from "../project/catch-up.ts";
import { ticks } from "../project/follow.ts";
import { folderOf } from "../project/item-key.ts";
import { currentLoop, historyOf, loopsOf } from "../project/loop-history.ts";
import type { ProjectStore } from "../project/store-log.ts";
import { say } from "../project/talk.ts";

/** The project of a feature whose review is asked for. */
export interface ReviewedProject {
  root: string;
  store: ProjectStore;
  features: Pick<FeatureStore, "get">;
  clock: Clock;
}

/** A review cannot be had, and why; nothing has changed. */
export class ReviewRefused extends Error {
  override readonly name = "ReviewRefused";
  /** What kind of refusal it is, in the words of the server's errors. */
  readonly code: "bad-request" | "not-found" | "conflict" | "unavailable";

  constructor(code: ReviewRefused["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const LOOK_MS = 1_000;

/**
 * The result of a feature's review, as seed 000's endpoint gives it. The loop makes the review, whoever asks for it: this waits
 * for one that is due or running, and tells one that is on record. When `signal` ends the waiting, the review goes on.
 */
export async function generatedReview(
  project: ReviewedProject,
  { featureId, iterationNumber, worktreePath }: Omit<GenerateReviewRequest, "projectPath">,
  signal: AbortSignal,
): Promise<CodeReviewResult> {
  const { root, store, clock, features } = project;
  const stored = await features.get(featureId);
  if (stored === null) throw new ReviewRefused("not-found", `there is no feature ${featureId}`);
  if ("damaged" in stored)
    throw new ReviewRefused("conflict", `feature ${featureId} cannot be read: ${stored.damaged}`);
  const own = join(root, ".worktrees", folderOf({ kind: "feature", id: featureId }));
  if (worktreePath !== undefined && resolve(worktreePath) !== own)
    throw new ReviewRefused("bad-request", `worktreePath: leave it out, or give the feature's own, ${own}`);
  const recorded = recordedIn(project, featureId, iterationNumber);
  if (recorded !== null) return recorded;
  const row = currentLoop(store, featureId);
  if (row === null) {
    const { status = "backlog" } = stored.feature;
    throw new ReviewRefused(
      "conflict",
      `${featureId} is ${status} and has no loop: its review is due once it is in code_review`,
    );
  }
  const { state } = historyOf(store, row);
  refuseUnlessDue(featureId, state, iterationNumber);
  if (state.stage === "waiting-for-human") {
    const said = await say({ root, store, row, by: "web", clock }, { signal: "resume" });
    if (said.result === "refused") throw new ReviewRefused("conflict", said.reason);
  }
  for await (const _ of ticks(store, { clock, signal, everyMs: LOOK_MS })) {
    const now = store.loop(row.loop);
    if (now === null || isStillDue(now, iterationNumber)) continue;
    const result = recordedIn(project, featureId, iterationNumber);
    if (result !== null) {
      await untilWritten(store, [featureId], clock);
      return result;
    }
    const { state: left } = historyOf(store, now);
    if (isDue(left)) continue;
    throw new ReviewRefused(
      "conflict",
      `the review was given up: ${featureId} is ${featureStatus(left)} now${because(left)}`,
    );
  }
  throw new ReviewRefused("unavailable", "the server is shutting down; the review goes on when it is started again");
}

/** What is on record of a review, in whichever loop of the feature it was; null where there is none. */
function recordedIn({ store }: ReviewedProject, id: string, iteration: number): CodeReviewResult | null {
  for (const row of loopsOf(store, { kind: "feature", id }).reverse()) {
    if ((row.summary.review?.currentIteration ?? 0) < iteration) continue;
    const result = resultIn(historyOf(store, row).state, iteration);
    if (result !== null) return result;
  }
  return null;
}

function resultIn(state: LoopState, iteration: number): CodeReviewResult | null {
  const round = state.rounds.find(({ number }) => number === iteration);
  if (round !== undefined)
    return {
      status: round.verdict.result === "pass" ? "approved" : "rejected",
      summary: toldSummary(round.report, round.verdict),
    };
  const broke = state.stage === "waiting-for-human" && state.reason === "review-broke";
  return broke && iteration === roundsDone(state) + 1 ? { status: "failed", summary: state.detail } : null;
}

function refuseUnlessDue(featureId: string, state: LoopState, iteration: number): void {
  if (!isDue(state)) {
    const status = featureStatus(state);
    throw new ReviewRefused(
      "conflict",
      `${featureId} is ${status}, not code_review: no review is due${because(state)}`,
    );
  }
  const due = roundsDone(state) + 1;
  if (iteration !== due)
    throw new ReviewRefused("conflict", `iteration ${due} of ${featureId} is due, not iteration ${iteration}`);
}

function isDue(state: LoopState): boolean {
  return featureStatus(state) === "code_review";
}

/** Told by the loop's line alone, so that waiting costs no replay. */
function isStillDue({ stage, summary }: { stage: string; summary: { round: number } }, iteration: number): boolean {
  return stage === "reviewing" && summary.round === iteration;
}

function because(state: LoopState): string {
  return "detail" in state && state.detail !== "" ? ` (${state.detail})` : "";
}
