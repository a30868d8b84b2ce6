import { z } from "zod";
import { SignalName } from "./policy.ts";

/** What every refusal of the server looks like. */
export const ApiError = z.object({
  success: z.literal(false),
  /** One sentence that says what is wrong and what would be right. */
  error: z.string(),
  code: z.enum([
    "bad-request",
    "unauthorised",
    "forbidden",
    "not-found",
    "conflict",
    "stale",
    "too-large",
    "too-many",
    "unavailable",
    "internal",
  ]),
  /** For bad input: where, and what is allowed there. */
  problems: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type ApiError = z.infer<typeof ApiError>;

/** A project's name in addresses. */
export const ProjectId = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]{0,60}$/, "a project's id is lower-case letters, digits and dashes");

/** A project of the server. */
export const ApiProject = z.object({
  id: ProjectId,
  name: z.string(),
  root: z.string(),
  /** Whether this server does the work, or another process does. */
  owned: z.boolean(),
  /** Whether features of the backlog start by themselves. */
  auto: z.boolean(),
  /** The last event of its log. */
  lastSeq: z.int().nonnegative(),
});
export type ApiProject = z.infer<typeof ApiProject>;

/** A loop as lists show it. */
export const ApiLoop = z.object({
  id: z.string(),
  policy: z.string(),
  branch: z.string().nullable(),
  stage: z.string(),
  round: z.int(),
  maxRounds: z.int(),
  blockers: z.int(),
  resolved: z.int(),
  costUsd: z.number(),
  tokens: z.number(),
  reason: z.string().nullable(),
  outcome: z.string().nullable(),
  detail: z.string(),
  /** What a person may say to it now. */
  legal: z.array(SignalName),
  startedAt: z.number(),
  lastAt: z.number(),
});

/** A work item as lists show it: no diffs, prompts or logs. */
export const ApiItem = z.object({
  /** Its key: a feature's id, or kind and id. */
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  status: z.string().nullable(),
  /** Why its file cannot be read. */
  damaged: z.string().nullable(),
  dependsOn: z.array(z.string()),
  loop: ApiLoop.nullable(),
});
export type ApiItem = z.infer<typeof ApiItem>;

/** A person's word to a loop. */
export const SignalRequest = z.strictObject({ signal: SignalName, note: z.string().max(20_000).optional() });

/** One message of the event stream. */
export const EventFrame = z.object({
  seq: z.int().nonnegative(),
  type: z.string(),
  payload: z.unknown(),
  project: ProjectId,
  loop: z.string(),
  item: z.string(),
  /** Given back as `since`, the stream goes on after this message. */
  cursor: z.string(),
});
export type EventFrame = z.infer<typeof EventFrame>;
