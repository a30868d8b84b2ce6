import { z } from "zod";
import { EventMap } from "../events.ts";
import { ProjectId } from "./project-id.ts";

/** A pass for one socket, which browsers cannot give a header. */
export const ApiEventTicket = z.object({ ticket: z.string(), expiresAt: z.number() });
export type ApiEventTicket = z.infer<typeof ApiEventTicket>;

/** Which events are wanted, and from where. */
export const ApiEventsQuery = z.object({
  project: ProjectId.optional().describe("One project; default: all."),
  loop: z.string().max(300).optional().describe("Only events of this loop."),
  item: z.string().max(300).optional().describe("Only events of this work item, by its key."),
  since: z
    .string()
    .max(20_000)
    .optional()
    .describe(
      "Where to start: the cursor of the last message you received, or a sequence number (then project is required). Default: only new messages.",
    ),
  activity: z.stringbool().optional().describe("Also stream what agents are doing, as loop:activity."),
  ticket: z.string().max(200).optional().describe("For WebSockets: from POST /api/events/ticket."),
});
export type ApiEventsQuery = z.infer<typeof ApiEventsQuery>;

/** One event of the log, as the stream tells it. An event of the log makes one `loop:*` message, and those of the seeds. */
export const EventFrame = z.object({
  seq: z.int().nonnegative(),
  /** Its number among the messages of its event; with `seq` it orders the messages of a project. */
  part: z.int().nonnegative(),
  type: z.string(),
  payload: z.unknown(),
  project: ProjectId,
  loop: z.string(),
  item: z.string(),
  /** Given back as `since`, the stream goes on after this message. */
  cursor: z.string(),
});
export type EventFrame = z.infer<typeof EventFrame>;

/** What an agent does while it does it. It is in no log and is never repeated; the transcript has it. */
export const ActivityFrame = z.object({
  type: z.literal("loop:activity"),
  project: ProjectId,
  loop: z.string(),
  item: z.string(),
  payload: z.object({
    agent: z.string(),
    role: z.string(),
    kind: z.enum(["text", "tool", "result", "note"]),
    name: z.string().optional(),
    text: z.string(),
  }),
});
export type ActivityFrame = z.infer<typeof ActivityFrame>;

/**
 * What a feature's reviewer says while it says it, in seed 000's name for that. It is in no log and is never repeated, and has
 * no `seq`: that tells it from the event of this name that is in the log, the beginning of an attempt.
 */
export const ProgressFrame = z.object({
  type: z.literal("feature:code-review-progress"),
  project: ProjectId,
  loop: z.string(),
  item: z.string(),
  payload: EventMap.shape["feature:code-review-progress"],
});
export type ProgressFrame = z.infer<typeof ProgressFrame>;

/** What went wrong with an item outside its loop, such as why it could not start. It is in no log and is never repeated. */
export const TroubleFrame = z.object({
  type: z.literal("item:trouble"),
  project: ProjectId,
  item: z.string(),
  payload: z.object({ message: z.string() }),
});
export type TroubleFrame = z.infer<typeof TroubleFrame>;

/** Work items have changed outside their loops: added, edited or removed, by whomever. It is in no log and is never repeated. */
export const ItemsFrame = z.object({ type: z.literal("items:changed"), project: ProjectId, payload: z.object({}) });
export type ItemsFrame = z.infer<typeof ItemsFrame>;

/** The place of a stream so far; over no project there is none. */
const Place = z.string().min(1).optional();

/** What the stream says about itself. */
export const StreamNote = z.discriminatedUnion("type", [
  /** The first message: how often it gives a sign of life. */
  z.object({ type: z.literal("stream:opened"), payload: z.object({ beatMs: z.number() }) }),
  /** All of the past was sent, this many messages. */
  z.object({ type: z.literal("stream:caught-up"), payload: z.object({ replayed: z.int(), cursor: Place }) }),
  /** A sign of life, with the place so far: what was not asked for counts as sent, too. */
  z.object({ type: z.literal("stream:beat"), payload: z.object({ cursor: Place }) }),
]);
export type StreamNote = z.infer<typeof StreamNote>;

/** Why the server closes a socket, by close code. */
export const STREAM_CLOSED = {
  1001: "the server is shutting down: reconnect with your cursor",
  4008: "too slow: reconnect with your cursor",
  4400: "the request is wrong",
  4401: "not logged in",
  4409: "this cursor is from another log: read everything again, and start without a cursor",
} as const;
export type StreamCloseCode = keyof typeof STREAM_CLOSED;
