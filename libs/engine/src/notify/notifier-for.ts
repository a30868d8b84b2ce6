import type { Clock, Notifier } from "@anneal/adapters";
import { slackUrl, smtpUrl, webhookSecret } from "@anneal/adapters/notify/secrets";
import type { Repo } from "@anneal/git";
import type { NotifyChannel } from "@anneal/types";
import { connect } from "../kinds/pull-request/forge.ts";
import type { NotifySettings } from "./channels.ts";

export interface NotifierParts {
  repo: Repo;
  clock: Clock;
  env?: NodeJS.ProcessEnv;
}

/** Makes the notifier of a channel as the settings say; null where it is not set up. */
export async function notifierFor(
  channel: NotifyChannel,
  { project, global }: NotifySettings,
  { repo, clock, env = process.env }: NotifierParts,
): Promise<Notifier | null> {
  const adapters = await import("@anneal/adapters/notify");
  const { slack, email, command, webhook } = global.notifications ?? {};
  switch (channel) {
    case "github": {
      const reviewers = project.pullRequests?.reviewers ?? global.pullRequests?.reviewers ?? [];
      const forge = async () => {
        const place = await connect(repo, clock);
        return "none" in place ? null : place.forge;
      };
      return adapters.githubNotifier({ connect: forge, reviewers, now: () => clock.now() });
    }
    case "slack": {
      const webhookUrl = slackUrl({ slack }, env);
      const own = { ...slack, ...project.notifications?.slack };
      return webhookUrl === null
        ? null
        : adapters.slackNotifier({ webhookUrl, channel: own.channel, users: own.users });
    }
    case "email": {
      const url = smtpUrl({ email }, env);
      return email === undefined || url === null ? null : adapters.emailNotifier({ ...email, smtpUrl: url });
    }
    case "desktop":
      return adapters.desktopNotifier({ env });
    case "command": {
      const [program, ...args] = command?.argv ?? [];
      if (program === undefined) return null;
      const seen = (command?.passEnv ?? []).flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]));
      return adapters.commandNotifier({ argv: [program, ...args], env: Object.fromEntries(seen) });
    }
    case "webhook":
      if (webhook === undefined) return null;
      return adapters.webhookNotifier({ url: webhook.url, secret: webhookSecret({ webhook }, env) });
  }
}
