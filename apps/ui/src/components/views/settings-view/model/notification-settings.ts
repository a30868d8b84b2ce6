import type { Setting } from "./setting.ts";

export const WHEN: readonly Setting[] = [
  {
    path: "notifications.enabled",
    label: "Notify people",
    help: 'Off: nobody is told anything, on any channel. One feature is silenced by "notify": false in its feature.json.',
    control: { kind: "switch" },
    fallback: true,
  },
  {
    path: "notifications.quietHours.from",
    label: "Quiet from",
    help: "Messages wait until quiet hours are over; a pull request still gets its label.",
    control: { kind: "text", example: "22:00" },
  },
  {
    path: "notifications.quietHours.to",
    label: "Quiet until",
    help: "Needs a beginning, too.",
    control: { kind: "text", example: "07:00" },
  },
  {
    path: "notifications.quietHours.timezone",
    label: "Time zone",
    help: "Empty: that of this machine.",
    control: { kind: "text", example: "Europe/Zurich" },
  },
  {
    path: "notifications.digest",
    label: "One message after quiet hours",
    help: "Off: each message that waited comes by itself.",
    control: { kind: "switch" },
    fallback: true,
  },
];

const only = "global" as const;

export const SLACK: readonly Setting[] = [
  {
    path: "notifications.slack.webhookUrl",
    label: "Webhook address",
    help: "Of an incoming webhook. Whoever knows it can post, so it is not shown again; the variable ANNEAL_SLACK_WEBHOOK_URL works as well.",
    control: { kind: "text", example: "https://hooks.slack.com/services/…" },
    only,
  },
  {
    path: "notifications.slack.channel",
    label: "Slack channel",
    help: "Empty: the one that the webhook was made for.",
    control: { kind: "text", example: "#reviews" },
  },
  {
    path: "notifications.slack.users",
    label: "People to tag",
    help: "Member ids, one per line.",
    control: { kind: "lines", example: "U012AB3CD" },
  },
];

export const OTHER_CHANNELS: readonly Setting[] = [
  {
    path: "notifications.email.from",
    label: "E-mail from",
    help: "The server stands in the variable ANNEAL_SMTP_URL, as smtps://USER:PASSWORD@HOST.",
    control: { kind: "text", example: "anneal@example.com" },
    only,
  },
  {
    path: "notifications.email.to",
    label: "E-mail to",
    help: "One address per line.",
    control: { kind: "lines", example: "you@example.com" },
    only,
  },
  {
    path: "notifications.desktop",
    label: "Desktop of the server's machine",
    help: "Shown by notify-send or macOS, also when no browser is open.",
    control: { kind: "switch" },
    fallback: false,
    only,
  },
  {
    path: "notifications.command.argv",
    label: "Command",
    help: "A program and its arguments, one per line. It reads each message as JSON from its standard input.",
    control: { kind: "lines", example: "my-notifier" },
    only,
  },
  {
    path: "notifications.webhook.url",
    label: "Webhook",
    help: "Gets each message as JSON; signed with the key in the variable ANNEAL_NOTIFY_SECRET.",
    control: { kind: "text", example: "https://example.com/hook" },
    only,
  },
];
