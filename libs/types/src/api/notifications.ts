import { z } from "zod";
import { DeliveryState, NoticeKind, NotifyChannel } from "../notifications.ts";

/** A way to reach people, and how it stands. */
export const ApiNotifyChannel = z.object({
  channel: NotifyChannel,
  configured: z.boolean(),
  /** What is missing to use it, and how to set that; null where nothing is. */
  missing: z.string().nullable(),
  /** What it tells people of in this project. */
  tells: z.array(NoticeKind),
  /** How many messages wait, for quiet hours or another try. */
  waiting: z.int().nonnegative(),
  /** The last message, test messages included. */
  last: z
    .object({ title: z.string(), state: DeliveryState, at: z.iso.datetime(), why: z.string().nullable() })
    .nullable(),
});
export type ApiNotifyChannel = z.infer<typeof ApiNotifyChannel>;

/** How people are told what the loops of a project want of them. */
export const ApiNotifications = z.object({
  channels: z.array(ApiNotifyChannel),
  /** Settings that name a channel which cannot be used. */
  problems: z.array(z.string()),
});
export type ApiNotifications = z.infer<typeof ApiNotifications>;

/** Asks for a test message. */
export const ApiNotifyTestRequest = z.strictObject({ channel: NotifyChannel });

/** What became of a test. `checked`: nothing was sent, since there is nowhere to send it, but it would work. */
export const ApiNotifyTest = z.object({
  channel: NotifyChannel,
  result: z.enum(["sent", "checked", "later", "refused", "unclear"]),
  why: z.string().nullable(),
});
export type ApiNotifyTest = z.infer<typeof ApiNotifyTest>;
