import type { NotifyMessage } from "@anneal/types";
import type { Notifier } from "../ports.ts";
import { postJson } from "./http.ts";

export interface SlackSetup {
  /** Whoever knows it can post: it is a secret. */
  webhookUrl: string;
  channel?: string | undefined;
  /** Member ids, to be tagged. */
  users?: readonly string[] | undefined;
  timeoutMs?: number;
}

const TIMEOUT_MS = 15_000;
/** Slack takes 150 characters in a header and 3,000 in a section. */
const CHARS = { header: 150, section: 2_900 } as const;

/** An incoming webhook of Slack. */
export function slackNotifier({ webhookUrl, channel, users = [], timeoutMs = TIMEOUT_MS }: SlackSetup): Notifier {
  return {
    name: "slack",
    send: (message, signal) =>
      postJson(webhookUrl, { body: JSON.stringify(bodyOf(message, { channel, users })), signal, timeoutMs, reasonIn }),
  };
}

/** Slack says why in one word, such as `channel_not_found`. */
function reasonIn(answer: string): string | null {
  return /^[a-z_]{2,60}$/.test(answer.trim()) ? answer.trim() : null;
}

function bodyOf(
  { title, link, summary, command, project }: NotifyMessage,
  { channel, users }: { channel: string | undefined; users: readonly string[] },
): object {
  const tagged = users.map((user) => `<@${user}>`).join(" ");
  const head = link === null ? escaped(title) : `<${link.replace(/[<>|\s]/g, "")}|${escaped(title)}>`;
  const lines = summary.map((line) => `• ${escaped(line)}`).join("\n");
  const foot = [`Project: ${escaped(project)}`, ...(command === null ? [] : [`\`${escaped(command)}\``])].join("  ·  ");
  return {
    // What phones and screen readers show.
    text: cut(`${tagged === "" ? "" : `${tagged} `}${escaped(title)}${link === null ? "" : ` ${link}`}`),
    ...(channel === undefined ? {} : { channel }),
    unfurl_links: false,
    blocks: [
      { type: "header", text: { type: "plain_text", text: title.slice(0, CHARS.header), emoji: false } },
      section(`*${head}*${tagged === "" ? "" : ` ${tagged}`}`),
      ...(lines === "" ? [] : [section(lines)]),
      { type: "context", elements: [{ type: "mrkdwn", text: cut(foot) }] },
    ],
  };
}

function section(text: string): object {
  return { type: "section", text: { type: "mrkdwn", text: cut(text) } };
}

function cut(text: string): string {
  return text.length <= CHARS.section ? text : `${text.slice(0, CHARS.section - 1)}…`;
}

/** Agents' and people's words neither tag anybody nor become links. */
function escaped(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/`/g, "'");
}
