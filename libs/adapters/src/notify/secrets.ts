import type { GlobalSettings, NotificationSettings } from "@anneal/types";

type Env = Readonly<Record<string, string | undefined>>;

/** The variables that are read where the settings name no others. */
export const NOTIFY_VARIABLES = {
  slack: "ANNEAL_SLACK_WEBHOOK_URL",
  email: "ANNEAL_SMTP_URL",
  webhook: "ANNEAL_NOTIFY_SECRET",
} as const;

/** The address of Slack's webhook; null where nobody gave one. */
export function slackUrl({ slack }: Pick<NotificationSettings, "slack">, env: Env): string | null {
  return slack?.webhookUrl ?? (env[slack?.webhookUrlEnv ?? NOTIFY_VARIABLES.slack] || null);
}

/** The address of the mail server, with its password; null where nobody gave one. */
export function smtpUrl({ email }: Pick<NotificationSettings, "email">, env: Env): string | null {
  return env[email?.smtpUrlEnv ?? NOTIFY_VARIABLES.email] || null;
}

/** The key of the webhook's signature. */
export function webhookSecret({ webhook }: Pick<NotificationSettings, "webhook">, env: Env): string | undefined {
  return env[webhook?.secretEnv ?? NOTIFY_VARIABLES.webhook] || undefined;
}

/** Shorter ones are words that stand everywhere. */
const SHORTEST = 6;

/** What of the way to people nobody may read. */
export function notificationSecrets({ notifications = {} }: Pick<GlobalSettings, "notifications">, env: Env): string[] {
  const addresses = [slackUrl(notifications, env), smtpUrl(notifications, env), notifications.webhook?.url];
  const found = addresses.flatMap((url) => {
    const parts = url == null ? null : URL.parse(url);
    return parts === null ? [] : [url, parts.pathname, parts.password, decodeURIComponent(parts.password)];
  });
  return [...found, webhookSecret(notifications, env)].filter((one) => one != null).filter(isLong);
}

function isLong({ length }: string): boolean {
  return length >= SHORTEST;
}
