import { resolve } from "node:path";
import type { Clock } from "@anneal/adapters";
import type { FeatureStore } from "@anneal/adapters/features";
import { featureStatus, roundsDone } from "@anneal/core";
import { certificateSummary } from "@anneal/core/write";
import type { Repo } from "@anneal/git";
import type { CodeReviewResult, Feature, GenerateReviewRequest, LoopState, Speaker } from "@anneal/types";
import { ticks } from "../history/follow.ts";
import { folderOf } from "../history/item-key.ts";
import { currentLoop, historyOf, loopsOf } from "../history/loop-history.ts";
import type { ProjectStore } from "../history/store-log.ts";
import type { LoopSummary } from "../history/summary.ts";
import { handedOver } from "../items/handed-over.ts";
import { featureBranch, roundsBefore } from "../kinds/feature/features.ts";
import type { LogLoopRow } from "../log/index.ts";
import { untilWritten } from "../signals/catch-up.ts";
import { pendingStarts } from "../signals/pending-loop.ts";
import { sendSignal } from "../signals/send-signal.ts";
import { defaultBranchOf } from "../workspaces/default-branch.ts";
import { projectWorkspaces } from "../workspaces/workspaces.ts";

/** The project of a feature whose review is asked for. */
export interface ReviewedProject {
  root: string;
  store: ProjectStore;
  repo: Repo;
  features: Pick<FeatureStore, "get" | "listReviews">;
  clock: Clock;
  speaker: Speaker;
  /** Asks for the feature's loop. */
  start(featureId: string): void;
  /** Why it could not start, where that was tried. */
  troubleOf(featureId: string): string | null;
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
 * for one that is due or running, tells one that is on record, and begins one where another tool has put a feature into
 * `code_review`. When `signal` ends the waiting, the review goes on.
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
  const workspaces = await projectWorkspaces(project.repo);
  const own = workspaces.pathOf(folderOf({ kind: "feature", id: featureId }));
  if (worktreePath !== undefined && resolve(worktreePath) !== own)
    throw new ReviewRefused("bad-request", `worktreePath: leave it out, or give the feature's own, ${own}`);
  const recorded = recordedIn(project, featureId, iterationNumber);
  if (recorded !== null) return recorded;
  const row = currentLoop(store, featureId) ?? (await begun(project, stored.feature, iterationNumber, signal));
  const { state } = historyOf(store, row);
  refuseUnlessDue(featureId, state, iterationNumber);
  if (state.stage === "waiting-for-human") {
    const said = await sendSignal({ root, store, row, ...project.speaker, clock }, { signal: "resume" });
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
      `the review was cancelled: ${featureId} is now ${featureStatus(left)}${because(left)}`,
    );
  }
  throw new ReviewRefused("unavailable", LEAVING);
}

const LEAVING = "the server is shutting down; the review continues when it starts again";

/** Begins the loop of a feature that somebody else has built, at its review. */
async function begun(
  project: ReviewedProject,
  feature: Feature,
  iteration: number,
  signal: AbortSignal,
): Promise<LogLoopRow<LoopSummary>> {
  const { repo, store, clock } = project;
  const { id, status = "backlog" } = feature;
  const refused = (why: string) => new ReviewRefused("conflict", why);
  const against = await defaultBranchOf(project);
  const into = { into: against.replace(/^origin\//, ""), base: await repo.resolve(against) };
  const handed = await handedOver(project, feature, { branch: featureBranch(feature), ...into });
  if (handed === null)
    throw refused(`${id} has the status ${status}; it can be reviewed once its status is code_review`);
  if ("missing" in handed) throw refused(`${id} is in code_review, and ${handed.missing}`);
  const due = (await roundsBefore(project, feature)) + 1;
  if (iteration !== due) throw refused(`iteration ${due} of ${id} is due, not iteration ${iteration}`);
  // Several may ask at once.
  if (!pendingStarts(store).includes(id)) project.start(id);
  for await (const _ of ticks(store, { clock, signal, everyMs: LOOK_MS })) {
    const isWaiting = pendingStarts(store).includes(id);
    const row = currentLoop(store, id);
    if (row !== null) return row;
    if (!isWaiting)
      throw refused(
        `${id}: ${project.troubleOf(id) ?? "the review could not start; see the output of the process that runs the loops"}`,
      );
  }
  throw new ReviewRefused("unavailable", LEAVING);
}

/** The record of a review, in whichever loop of the feature it was; null where there is none. */
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
      summary: certificateSummary(round.report, round.verdict),
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

/** Known from the loop's line alone, so that waiting costs no replay. */
function isStillDue({ stage, summary }: { stage: string; summary: { round: number } }, iteration: number): boolean {
  return stage === "reviewing" && summary.round === iteration;
}

function because(state: LoopState): string {
  return "detail" in state && state.detail !== "" ? ` (${state.detail})` : "";
}
