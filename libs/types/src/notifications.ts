import { z } from "zod";

/** Every way to reach people. Those that a project may choose for "ready" are in `NotificationChannel`. */
export const NotifyChannel = z.enum(["github", "slack", "email", "desktop", "command", "webhook"]);
export type NotifyChannel = z.infer<typeof NotifyChannel>;

/** What people are told: a change is ready for their review, a loop waits for them, a loop has failed. */
export const NoticeKind = z.enum(["ready", "needs-person", "failed"]);
export type NoticeKind = z.infer<typeof NoticeKind>;

/** One message to people, before a channel gives it its form. */
export const NotifyMessage = z.object({
  /** The same for the same news: one loop, round and reason. */
  key: z.string(),
  kind: z.enum([...NoticeKind.options, "digest", "test"]),
  project: z.string(),
  /** The work item's key; empty where it is about none. */
  item: z.string(),
  title: z.string(),
  link: z.string().nullable(),
  /** What happened, a sentence per line. */
  summary: z.array(z.string()),
  /** The command that goes on from here. */
  command: z.string().nullable(),
  pullRequest: z.int().positive().nullable(),
});
export type NotifyMessage = z.infer<typeof NotifyMessage>;

/** How a message stands on one channel. `unclear`: it may have arrived, and is not sent again. */
export const DeliveryState = z.enum(["waiting", "sending", "sent", "failed", "unclear", "dropped"]);
export type DeliveryState = z.infer<typeof DeliveryState>;

const EnvName = z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/, "the name of an environment variable");

const SafeUrl = z
  .string()
  .regex(
    /^(?:https:\/\/|http:\/\/(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])[:/])[^\s]*$/,
    "an https address, or http on this machine",
  );

const ClockTime = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "a time such as 22:00");

const TimeZone = z.string().refine(isTimeZone, "a time zone such as Europe/Zurich");

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).format(0) !== "";
  } catch {
    return false;
  }
}

const SlackUser = z.string().regex(/^[UW][A-Z0-9]{2,20}$/, "a Slack member id such as U012AB3CD");
const SlackChannel = z.string().regex(/^[#@]?[\w.-]{1,80}$/, "a channel such as #reviews");
/** No line break: it would begin another header. */
const MailAddress = z.string().regex(/^[^\r\n,;<>@]*<?[^\s<>@,;]+@[^\s<>@,;]+>?$/, "an e-mail address");

/** When people are left alone, by the clocks of a place; past midnight where it ends before it begins. */
export const QuietHours = z.strictObject({
  from: ClockTime,
  to: ClockTime,
  /** That of this machine unless named. */
  timezone: TimeZone.optional(),
});
export type QuietHours = z.infer<typeof QuietHours>;

const slack = { channel: SlackChannel.optional(), users: z.array(SlackUser).optional() };

const when = {
  /** `false`: nobody is told anything. */
  enabled: z.boolean().optional(),
  quietHours: QuietHours.optional(),
  /** Whether what quiet hours collected is one message; it is unless this says `false`. */
  digest: z.boolean().optional(),
};

/** How people are reached. Only the user's own settings can say it: a repository names no programs, addresses and variables. */
export const NotificationSettings = z.strictObject({
  ...when,
  slack: z.strictObject({ webhookUrl: SafeUrl.optional(), webhookUrlEnv: EnvName.optional(), ...slack }).optional(),
  email: z
    .strictObject({
      from: MailAddress,
      to: z.array(MailAddress).min(1),
      /** The variable that holds `smtps://USER:PASSWORD@HOST` or `smtp://…`; `ANNEAL_SMTP_URL` unless named. */
      smtpUrlEnv: EnvName.optional(),
    })
    .optional(),
  desktop: z.boolean().optional(),
  command: z
    .strictObject({
      argv: z.array(z.string().min(1)).min(1),
      /** Variables of the user's environment that it may see. */
      passEnv: z.array(EnvName).optional(),
    })
    .optional(),
  webhook: z
    .strictObject({
      url: SafeUrl,
      /** The variable that holds the key of the signature; `ANNEAL_NOTIFY_SECRET` unless named. */
      secretEnv: EnvName.optional(),
    })
    .optional(),
});
export type NotificationSettings = z.infer<typeof NotificationSettings>;

/** What a project may say about it. */
export const ProjectNotificationSettings = z.strictObject({ ...when, slack: z.strictObject(slack).optional() });
export type ProjectNotificationSettings = z.infer<typeof ProjectNotificationSettings>;
