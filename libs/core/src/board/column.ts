import type { BoardStatus, FeatureStatus, ReviewLoopState, TicketStatus } from "@anneal/types";
import { isStoryDone, type StoryStatus } from "../stories/status.ts";
import type { UnitStatus } from "../units/status.ts";

/** The kinds of things that have states of their own, by the seeds that name those. */
type Worded = "review-loop" | "ticket" | "story" | "unit";

const REVIEW_LOOP: Record<ReviewLoopState, BoardStatus> = {
  pending_self_review: "code_review",
  self_reviewing: "code_review",
  self_review_passed: "code_review",
  self_review_failed: "code_review",
  refining: "in_progress",
  addressing_feedback: "in_progress",
  pr_created: "waiting_approval",
  awaiting_pr_feedback: "waiting_approval",
  ready_for_human_review: "waiting_approval",
  approved: "verified",
  merged: "completed",
  closed: "waiting_approval",
};

const TICKET: Record<TicketStatus, BoardStatus> = {
  pending: "backlog",
  queued: "backlog",
  executing: "in_progress",
  validating: "in_progress",
  needs_revision: "in_progress",
  reviewing: "code_review",
  completed: "completed",
  failed: "waiting_approval",
  blocked: "waiting_approval",
};

const STORY: Record<StoryStatus, BoardStatus> = {
  pending: "backlog",
  "in-progress": "in_progress",
  review: "code_review",
  done: "completed",
  skipped: "completed",
  blocked: "waiting_approval",
  paused: "waiting_approval",
};

const UNIT: Record<UnitStatus, BoardStatus> = {
  pending: "backlog",
  in_progress: "in_progress",
  in_review: "code_review",
  pr_open: "waiting_approval",
  merging: "verified",
  complete: "completed",
  failed: "waiting_approval",
  blocked: "waiting_approval",
};

const COLUMNS: Record<Worded, Readonly<Record<string, BoardStatus>>> = {
  "review-loop": REVIEW_LOOP,
  ticket: TICKET,
  story: STORY,
  unit: UNIT,
};

/** The board column of a state in the words of a seed. A word that nobody knows has not begun. */
export function columnOf(kind: Worded, word: string | null | undefined): FeatureStatus {
  const columns = COLUMNS[kind];
  const known = word ?? "";
  if (kind === "story" && isStoryDone(known)) return "completed";
  return Object.hasOwn(columns, known) ? (columns[known] ?? "backlog") : "backlog";
}
