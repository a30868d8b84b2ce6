import type { LoadedSettings } from "@anneal/adapters/files";
import { desktopProgram, smtpProblem } from "@anneal/adapters/notify";
import { slackUrl, smtpUrl, NOTIFY_VARIABLES as VARIABLES } from "@anneal/adapters/notify/secrets";
import type { GlobalSettings, NoticeKind, NotifyChannel, ReviewLoopConfig } from "@anneal/types";

export interface NotifySettings extends Pick<LoadedSettings, "project" | "global"> {
  settings: { reviewLoop: Pick<ReviewLoopConfig, "notifyOnReady" | "notificationChannels"> };
}
type Env = NodeJS.ProcessEnv;

/** A way to reach people, and how it stands. */
export interface ChannelStatus {
  channel: NotifyChannel;
  configured: boolean;
  /** What is missing or wrong, and what to do; null where nothing is. */
  missing: string | null;
  /** The same, where the settings name the channel all the same. */
  problem: string | null;
  tells: NoticeKind[];
}

const CHANNELS = ["github", "slack", "email", "desktop", "command", "webhook"] as const;

/** Every channel. Seed 001's list decides for a project which of three are told that a change is ready. */
export function channelsOf(settings: NotifySettings, env: Env = process.env): ChannelStatus[] {
  const { reviewLoop } = settings.settings;
  const chosen: readonly string[] = reviewLoop.notifyOnReady ? reviewLoop.notificationChannels : [];
  return CHANNELS.map((channel) => {
    const missing = missingOf(channel, settings.global, env);
    const own = channel === "desktop" || channel === "command" || channel === "webhook";
    const isReady = own ? reviewLoop.notifyOnReady : chosen.includes(channel);
    const other: NoticeKind[] = channel === "github" ? [] : ["needs-person", "failed"];
    const tells: NoticeKind[] = isOff(settings) ? [] : [...(isReady ? (["ready"] as const) : []), ...other];
    const isNamed = chosen.includes(channel) || missing?.begun === true;
    return {
      channel,
      configured: missing === null,
      missing: missing?.text ?? null,
      problem: missing !== null && isNamed ? missing.text : null,
      tells: missing === null ? tells : [],
    };
  });
}

/** Whether nobody is told anything. */
export function isOff({ project, global }: Pick<NotifySettings, "project" | "global">): boolean {
  return project.notifications?.enabled === false || global.notifications?.enabled === false;
}

/** One line for each channel that the settings name and that cannot be used. */
export function channelProblems(settings: NotifySettings, env: Env = process.env): string[] {
  if (isOff(settings)) return [];
  const chosen: readonly string[] = settings.settings.reviewLoop.notificationChannels;
  return channelsOf(settings, env).flatMap(({ channel, problem }) => {
    if (problem === null) return [];
    const named = chosen.includes(channel) ? "reviewLoop.notificationChannels" : `notifications.${channel}`;
    return [`${named}: ${problem}`];
  });
}

interface Missing {
  text: string;
  /** Somebody has begun to set it up. */
  begun: boolean;
}

const IN_GLOBAL = "in your own settings.json";

function missingOf(channel: NotifyChannel, { notifications = {} }: GlobalSettings, env: Env): Missing | null {
  const { slack, email, desktop, command, webhook } = notifications;
  const missing = (text: string, section: unknown): Missing => ({ text, begun: section !== undefined });
  switch (channel) {
    case "github":
      return null;
    case "slack": {
      const variable = slack?.webhookUrlEnv ?? VARIABLES.slack;
      const how = `set notifications.slack.webhookUrl ${IN_GLOBAL}, or the variable ${variable}`;
      return slackUrl(notifications, env) === null ? missing(`Slack has no webhook address: ${how}`, slack) : null;
    }
    case "email": {
      if (email === undefined)
        return missing(`e-mail is not set up: set notifications.email with from and to ${IN_GLOBAL}`, email);
      const variable = email.smtpUrlEnv ?? VARIABLES.email;
      const url = smtpUrl(notifications, env);
      const hint = "put smtps://USER:PASSWORD@HOST into the variable";
      if (url === null) return missing(`e-mail has no server: ${hint} ${variable}`, email);
      const wrong = smtpProblem(url);
      return wrong === null ? null : missing(`${variable}: ${wrong}`, email);
    }
    case "desktop":
      if (desktop !== true)
        return missing(`the desktop is off: set notifications.desktop to true ${IN_GLOBAL}`, undefined);
      return desktopProgram(env.PATH) === null ? missing("this machine has no notify-send", desktop) : null;
    case "command":
      return command === undefined
        ? missing(`no command is set up: set notifications.command.argv ${IN_GLOBAL}`, command)
        : null;
    case "webhook": {
      if (webhook === undefined)
        return missing(`no webhook is set up: set notifications.webhook.url ${IN_GLOBAL}`, webhook);
      const named = webhook.secretEnv;
      const isUnset = named !== undefined && (env[named] ?? "") === "";
      return isUnset ? missing(`the webhook cannot be signed: the variable ${named} is not set`, webhook) : null;
    }
  }
}
