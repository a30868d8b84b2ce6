import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import { notificationsShown, sendTestMessage } from "@anneal/engine/notify";
import { loadSettings, openProject, openReader } from "@anneal/engine/project";
import { type ApiNotifications, type ApiNotifyChannel, type ApiNotifyTest, NotifyChannel } from "@anneal/types";
import type { Command } from "../command.ts";
import { interruptible } from "../interruptible.ts";
import { json } from "../project/output.ts";
import { harmlessLine, type Paint, painter } from "../style.ts";

const help = `anneal notify: who tells you that a loop wants something, and whether it works

  anneal notify                  every channel: what it tells, what it lacks, how the last message went
  anneal notify test             send a test over every channel that is set up
  anneal notify test CHANNEL     over one: ${NotifyChannel.options.join(", ")}
  anneal notify --json           as data, the test too

You are told when a change is ready for your review, when a loop waits for you, and when one has failed: once each.
github   the pull request gets a comment, reviewers and the label ready-for-review; it needs no set-up
others   are set up in your own settings.json (never in a repository's), here with all there is:

  "notifications": {
    "slack":   { "webhookUrl": "https://hooks.slack.com/services/…", "channel": "#reviews", "users": ["U012AB3CD"] },
    "email":   { "from": "anneal@example.com", "to": ["you@example.com"] },
    "desktop": true,
    "command": { "argv": ["my-notifier", "--stdin"] },
    "webhook": { "url": "https://example.com/hook" },
    "quietHours": { "from": "22:00", "to": "07:00", "timezone": "Europe/Zurich" },
    "digest": true, "enabled": true
  }

Which of github, slack and email say "ready", a project chooses: "reviewLoop": {"notificationChannels": ["github", "slack"]}.
Off: "notifications": {"enabled": false} in your settings or a project's, "notify": false in a feature.json.
Secrets: ANNEAL_SLACK_WEBHOOK_URL, ANNEAL_SMTP_URL (smtps://USER:PASSWORD@HOST), ANNEAL_NOTIFY_SECRET (signs the webhook).

Exit code: 0 when all is well, 1 when a test failed or the settings name a channel that is not set up.
`;

async function run(args: string[]): Promise<number> {
  const options = { json: { type: "boolean", default: false } } as const;
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [action, name, ...more] = positionals;
  if (action === undefined) return await list(values.json);
  if (action !== "test" || more.length > 0)
    throw new UsageError("it takes nothing, or test and a channel: anneal notify test slack");
  return await test(name === undefined ? null : channelNamed(name), values.json);
}

function channelNamed(name: string): NotifyChannel {
  const known = NotifyChannel.safeParse(name);
  if (known.success) return known.data;
  throw new UsageError(`there is no channel "${name}": there are ${NotifyChannel.options.join(", ")}`);
}

async function list(asJson: boolean): Promise<number> {
  using project = await openReader(process.cwd(), systemClock);
  const shown = notificationsShown(await loadSettings(project.root), project.store);
  process.stdout.write(asJson ? json(shown) : text(shown, painter(process.stdout)));
  return shown.problems.length === 0 ? 0 : 1;
}

async function test(named: NotifyChannel | null, asJson: boolean): Promise<number> {
  using project = await openProject(process.cwd(), systemClock);
  const settings = await loadSettings(project.root);
  const { channels } = notificationsShown(settings, project.store);
  const wanted = named === null ? channels.filter(({ configured }) => configured).map((one) => one.channel) : [named];
  const results = await interruptible(async (signal) => {
    const parts = { repo: project.repo, store: project.store, clock: systemClock, settings, signal };
    return await Promise.all(wanted.map((channel) => sendTestMessage(channel, parts)));
  });
  const paint = painter(process.stdout);
  process.stdout.write(asJson ? json(results) : results.map((result) => resultLine(result, paint)).join(""));
  return results.every(isWell) ? 0 : 1;
}

function isWell({ result }: ApiNotifyTest): boolean {
  return result === "sent" || result === "checked";
}

const WORDS: Record<ApiNotifyTest["result"], string> = {
  sent: "sent",
  checked: "works",
  later: "not sent",
  refused: "not sent",
  unclear: "may have arrived",
};

const WIDTH = 8;

function resultLine(result: ApiNotifyTest, paint: Paint): string {
  const { channel, why } = result;
  const head = paint(isWell(result) ? "green" : "red", `${isWell(result) ? "✔" : "✘"} ${channel.padEnd(WIDTH)}`);
  return `${head} ${WORDS[result.result]}${why === null ? "" : `: ${harmlessLine(why)}`}\n`;
}

function text({ channels, problems }: ApiNotifications, paint: Paint): string {
  const lines = channels.flatMap((channel) => channelLines(channel, paint));
  const wrong = problems.map((problem) => paint("red", `! ${harmlessLine(problem)}`));
  return `${[...lines, ...wrong].join("\n")}\n`;
}

function channelLines({ channel, configured, missing, tells, waiting, last }: ApiNotifyChannel, paint: Paint) {
  const says = tells.length === 0 ? "set up, and tells nothing" : `tells: ${tells.join(", ")}`;
  const mark = configured ? paint("green", "✔") : paint("dim", "·");
  const head = `${mark} ${channel.padEnd(WIDTH)} ${configured ? says : (missing ?? "")}`;
  const waits = waiting === 0 ? [] : [`${waiting} waiting`];
  const said = last === null ? [] : [lastWords(last)];
  return [head, ...[...waits, ...said].map((line) => paint("dim", `  ${" ".repeat(WIDTH)} ${harmlessLine(line)}`))];
}

function lastWords({ title, state, at, why }: NonNullable<ApiNotifyChannel["last"]>): string {
  return `last: ${state} ${at.slice(0, 16)}Z “${title}”${why === null ? "" : `: ${why}`}`;
}

export const command: Command = { help, run };
