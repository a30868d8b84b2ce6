import { randomUUID } from "node:crypto";
import { basename } from "node:path";
import type { Clock, SendResult } from "@anneal/adapters";
import type { Repo } from "@anneal/git";
import type { ApiNotifications, ApiNotifyTest, NotifyChannel, NotifyMessage } from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import type { ProjectStore } from "../history/store-log.ts";
import { connect } from "../kinds/pull-request/forge.ts";
import { channelProblems, channelsOf, type NotifySettings } from "./channels.ts";
import { notifierFor } from "./notifier-for.ts";

/** Every channel, what it tells, and how its last message went. `store` is null where nothing has run yet. */
export function notificationsShown(
  settings: NotifySettings,
  store: Pick<ProjectStore, "notices"> | null,
): ApiNotifications {
  const notices = store?.notices() ?? [];
  const channels = channelsOf(settings).map(({ problem: _, ...status }) => {
    const own = notices.filter(({ channel }) => channel === status.channel);
    const last = own.filter(({ triedAt }) => triedAt !== null).sort((a, b) => Number(a.triedAt) - Number(b.triedAt));
    const shown = last.at(-1);
    return {
      ...status,
      waiting: own.filter(({ state }) => state === "waiting").length,
      last:
        shown === undefined
          ? null
          : {
              title: shown.message.title,
              state: shown.state,
              at: new Date(shown.triedAt ?? shown.at).toISOString(),
              why: shown.why,
            },
    };
  });
  return { channels, problems: channelProblems(settings) };
}

/** One line for each channel whose last message did not arrive, or that waits to be tried again; none where all is well. */
export function notificationTroubles(shown: ApiNotifications): string[] {
  const failing = shown.channels.flatMap(({ channel, waiting, last }) => {
    if (last === null || last.state === "sent" || last.state === "dropped") return [];
    const waits = waiting === 0 ? "" : `; ${waiting} ${waiting === 1 ? "waits" : "wait"} for another try`;
    return [`${channel}: the last message ${WORDS[last.state]}${last.why === null ? "" : ` (${last.why})`}${waits}`];
  });
  return [...shown.problems, ...failing];
}

const WORDS = {
  waiting: "was not sent",
  failed: "was not sent",
  sending: "is being sent",
  unclear: "may not have arrived",
} as const;

export interface TestParts {
  repo: Repo;
  store: ProjectStore;
  clock: Clock;
  settings: NotifySettings;
  signal?: AbortSignal;
}

/** Sends a test over one channel, whatever it is told otherwise, and keeps what became of it. */
export async function sendTestMessage(channel: NotifyChannel, parts: TestParts): Promise<ApiNotifyTest> {
  const { repo, store, clock, settings, signal = new AbortController().signal } = parts;
  const missing = channelsOf(settings).find((one) => one.channel === channel)?.missing ?? null;
  if (missing !== null) return { channel, result: "refused", why: missing };
  // A comment for nothing on somebody's pull request would be noise.
  if (channel === "github") return await checkForge(repo, clock);
  const notifier = await notifierFor(channel, settings, { repo, clock });
  if (notifier === null) return { channel, result: "refused", why: "it is not set up" };
  const message = testMessage(basename(repo.root));
  const at = clock.now();
  store.note([{ key: message.key, channel, loop: "", at, message, state: "sending" }], 0);
  const result = await notifier
    .send(message, signal)
    .catch((error: unknown): SendResult => ({ result: "unclear", why: errorMessage(error) }));
  const why = "why" in result ? result.why : null;
  const state = result.result === "sent" || result.result === "unclear" ? result.result : "failed";
  store.moveNotices([{ key: message.key, channel }], { state, triedAt: at, ...(why === null ? {} : { why }) });
  return { channel, result: result.result, why };
}

function testMessage(project: string): NotifyMessage {
  return {
    key: `test:${randomUUID()}`,
    kind: "test",
    project,
    item: "",
    title: "A test from Anneal",
    link: null,
    summary: ["If you can read this, messages about your loops arrive here."],
    command: "anneal notify",
    pullRequest: null,
  };
}

async function checkForge(repo: Repo, clock: Clock): Promise<ApiNotifyTest> {
  const channel = "github";
  try {
    const place = await connect(repo, clock);
    if ("none" in place) return { channel, result: "refused", why: place.none };
    const me = await place.forge.me();
    const why = `signed in as ${me}; a pull request that is ready gets a comment, reviewers and a label`;
    return { channel, result: "checked", why };
  } catch (error) {
    return { channel, result: "refused", why: errorMessage(error) };
  }
}
