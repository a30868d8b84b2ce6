import { z } from "zod";
import { Seen } from "../loop/seen.ts";
import { SignalName } from "../policy.ts";
import { ProjectId } from "./project-id.ts";

export * from "./agents.ts";
export * from "./analytics.ts";
export * from "./certificate.ts";
export * from "./code-review.ts";
export * from "./evidence.ts";
export * from "./features.ts";
export * from "./findings.ts";
export * from "./health.ts";
export * from "./items.ts";
export * from "./loops.ts";
export * from "./notifications.ts";
export * from "./plans.ts";
export * from "./project-id.ts";
export * from "./prompts.ts";
export * from "./rounds.ts";
export * from "./settings.ts";
export * from "./stream.ts";

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
  /** For a stale change: the ETag of what is there now. */
  etag: z.string().optional(),
});
export type ApiError = z.infer<typeof ApiError>;

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

/** A person's word to a loop. */
export const SignalRequest = z.strictObject({
  signal: SignalName,
  note: z.string().max(20_000).optional(),
  /** What it is said about, as the loop's own page tells it: it is refused where the loop has moved on since. */
  seen: Seen.optional(),
});
export type SignalRequest = z.infer<typeof SignalRequest>;
