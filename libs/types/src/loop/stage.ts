import { z } from "zod";

/** What a loop does now. */
export const Stage = z.enum([
  "implementing",
  "validating",
  "committing",
  "reviewing",
  "fixing",
  "opening-pr",
  "awaiting-feedback",
  "waiting-for-human",
  "merging",
  "ended",
]);
export type Stage = z.infer<typeof Stage>;

/** The stages that hold work for the driver, to come back to after a pause. */
export const ActiveStage = z.enum([
  "implementing",
  "validating",
  "committing",
  "reviewing",
  "fixing",
  "opening-pr",
  "awaiting-feedback",
  "merging",
]);
export type ActiveStage = z.infer<typeof ActiveStage>;

/** Why a loop waits for a person. */
export const WaitReason = z.enum([
  "rounds-exhausted",
  "stalled",
  "oscillating",
  "review-broke",
  "step-broke",
  "validation-failed",
  "misconfigured",
  "no-change",
  "capped",
  "approval",
  "requirements-not-judged",
  "never-publish",
  "push-consent",
  "delivery-refused",
  "ready-for-human",
  "feedback-exhausted",
  "merge-conflict",
  "paused",
  "replay-differs",
]);
export type WaitReason = z.infer<typeof WaitReason>;
