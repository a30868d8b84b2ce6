import type { Notifier, SendResult } from "@anneal/adapters";
import { POLICIES } from "@anneal/core";
import { type Feature, GlobalSettings, type NotifyMessage, ProjectSettings } from "@anneal/types";
import { describe, expect, onTestFinished, test } from "vitest";
import { bad, clean, Play } from "../../../core/src/testing/build.ts";
import { drained, manualClock } from "../cast/providers/testing/manual-clock.ts";
import { type ProjectStore, storeLog } from "../history/store-log.ts";
import { openStore } from "../log/index.ts";
import { tempProject } from "../log/testing/project.ts";
import type { NotifySettings } from "./channels.ts";
import { Notifications } from "./notifications.ts";

const START = Date.parse("2026-01-09T14:00:00Z");
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SENT: SendResult = { result: "sent" };
const LATER: SendResult = { result: "later", why: "it answered 500", retryAfterMs: null };

const EVERYWHERE = {
  slack: { webhookUrl: "https://hooks.example/services/T/B/X" },
  email: { from: "a@shop.example", to: ["b@shop.example"] },
  command: { argv: ["tell"] },
  webhook: { url: "https://hooks.example/in" },
};
const ONE = { webhook: EVERYWHERE.webhook };

interface WorldOptions {
  global?: object;
  project?: object;
  feature?: Partial<Feature>;
  /** What each channel answers, one after the other; the last one stays. */
  answers?: Record<string, (SendResult | Promise<SendResult>)[]>;
}

function settingsOf(global: object, project: object): NotifySettings {
  const reviewLoop = { enabled: true, notifyOnReady: true, notificationChannels: ["github"] };
  const read = { global: GlobalSettings.parse(global), project: ProjectSettings.parse(project) };
  const config = { ...reviewLoop, ...read.global.reviewLoop, ...read.project.reviewLoop };
  return { ...read, settings: { reviewLoop: config } } as unknown as NotifySettings;
}

function world({ global = { notifications: ONE }, project = {}, feature = {}, answers = {} }: WorldOptions = {}) {
  const clock = manualClock(START);
  const store: ProjectStore = openStore({ gitDir: tempProject() }, { clock });
  onTestFinished(() => store.close());
  const sent: { channel: string; at: number; message: NotifyMessage }[] = [];
  const troubles: string[] = [];
  const config = { global, project };
  const open = () =>
    new Notifications({
      root: "/work/shop",
      store,
      clock,
      features: { get: async (id) => ({ id, version: "1", feature: { id, description: "", ...feature } }) },
      settings: async () => settingsOf(config.global, config.project),
      env: { ANNEAL_SMTP_URL: "smtp://127.0.0.1", PATH: "" },
      onTrouble: (item, message) => troubles.push(`${item}: ${message}`),
      notifierFor: async (channel): Promise<Notifier> => ({
        name: channel,
        ...(channel === "github" ? { keyed: true as const } : {}),
        async send(message) {
          sent.push({ channel, at: clock.now(), message });
          const all = answers[channel] ?? [SENT];
          const before = sent.filter((one) => one.channel === channel).length;
          return (await all[Math.min(before, all.length) - 1]) ?? SENT;
        },
      }),
    });
  let notifications = open();
  const append = (play: Play, loopId = "f1~1", kind = "feature") => {
    const of = { loopId, kind, item: "f1", title: "Add login", branch: "b", policy: play.policy };
    const log = storeLog(store, of);
    const item = { kind: "feature", id: "f1" } as const;
    const known = [...store.events(loopId)].length;
    const own = play.log.map((event) => (event.type === "loop-started" ? { ...event, loopId, item } : event));
    for (const event of own.slice(known)) log.append(event, play.state);
  };
  return {
    store,
    clock,
    sent,
    troubles,
    config,
    channels: () => sent.map(({ channel }) => channel).sort(),
    states: () => store.notices().map(({ channel, state, why }) => ({ channel, state, why })),
    /** Appends what a loop did, and waits until people were told. */
    async tell(play: Play, loopId?: string) {
      append(play, loopId);
      notifications.look();
      await notifications.settled();
    },
    append,
    /** Appends what a loop did, and waits until so many messages are on their way, whether they arrive or not. */
    async begin(play: Play, count: number) {
      append(play);
      notifications.look();
      while (sent.length < count) await drained();
      for (let n = 0; n < 20; n++) await drained();
    },
    async pass(ms: number) {
      // Step by step, since what is due may lead to something that is due soon after.
      for (let left = ms; left > 0; left -= MINUTE) {
        await clock.advance(Math.min(MINUTE, left));
        await notifications.settled();
        await drained();
      }
    },
    async restart() {
      await notifications.close();
      notifications = open();
      await notifications.settled();
    },
    /** As a kill leaves it: what was on its way is never recorded. */
    async killed() {
      notifications = open();
      await notifications.settled();
    },
    close: () => notifications.close(),
  };
}

const ready = () => new Play(POLICIES["pull-request"]).build().review(clean).pr().feedback();
const waiting = () => {
  const play = new Play(POLICIES.adversarial).build();
  for (let n = 1; play.state.stage !== "waiting-for-human" && n < 9; n++) play.review(bad("critical", n)).mend();
  return play;
};

describe("who is told what", () => {
  const slackToo = { reviewLoop: { notificationChannels: ["github", "slack"] }, notifications: EVERYWHERE };
  test.for([
    {
      what: "ready: the channels that the seed's list names, and the user's own",
      play: ready,
      options: { global: slackToo },
      channels: ["command", "github", "slack", "webhook"],
    },
    {
      what: "ready, with notifyOnReady off: nobody",
      play: ready,
      options: {
        global: { ...slackToo, reviewLoop: { notifyOnReady: false, notificationChannels: ["github", "slack"] } },
      },
      channels: [],
    },
    {
      what: "a loop that waits: every channel that is set up, but not the pull request",
      play: waiting,
      options: { global: slackToo },
      channels: ["command", "email", "slack", "webhook"],
    },
    { what: "nothing is set up: the pull request is told", play: ready, options: { global: {} }, channels: ["github"] },
    {
      what: "off in the project",
      play: ready,
      options: { global: slackToo, project: { notifications: { enabled: false } } },
      channels: [],
    },
    {
      what: "off everywhere",
      play: waiting,
      options: { global: { notifications: { ...EVERYWHERE, enabled: false } } },
      channels: [],
    },
    {
      what: "off for the feature",
      play: ready,
      options: { global: slackToo, feature: { notify: false } },
      channels: [],
    },
    {
      what: "what a person did themselves: nobody",
      play: () => new Play(POLICIES.gate).signal("pause"),
      options: { global: slackToo },
      channels: [],
    },
    {
      what: "while it works: nobody",
      play: () => new Play(POLICIES.gate).build(),
      options: { global: slackToo },
      channels: [],
    },
  ])("$what", async ({ play, options, channels }) => {
    const { tell, channels: told, close } = world(options);
    await tell(play());
    expect(told()).toEqual(channels);
    await close();
  });

  test("a message says what, why, how it went, and the command that goes on", async () => {
    const { tell, sent, close } = world();
    await tell(waiting());
    expect(sent[0]?.message).toMatchObject({
      kind: "needs-person",
      title: "Needs you: Add login",
      item: "f1",
      project: "shop",
      command: "anneal show f1",
      summary: expect.arrayContaining([expect.stringMatching(/^You can: /), expect.stringMatching(/3 rounds, 1 file/)]),
    });
    await tell(ready(), "f1~2");
    expect(sent.at(-1)?.message).toMatchObject({ kind: "ready", link: expect.stringMatching(/./), pullRequest: 7 });
    await close();
  });
});

describe("never the same twice", () => {
  test("one message for one round and reason, over restarts and further events", async () => {
    const { tell, channels, restart, close } = world();
    const play = ready();
    await tell(play);
    await restart();
    await tell(play.feedback());
    expect(channels()).toEqual(["github", "webhook"]);
    await close();
  });

  test("what was on its way when the process died is not sent again; on the pull request it is, where it has a key", async () => {
    const never = new Promise<SendResult>(() => {});
    const { begin, killed, channels, states } = world({
      global: { reviewLoop: { notificationChannels: ["github"] }, notifications: ONE },
      answers: { webhook: [never], github: [never, SENT] },
    });
    await begin(ready(), 2);
    await killed();
    expect(channels()).toEqual(["github", "github", "webhook"]);
    expect(states()).toEqual([
      { channel: "github", state: "sent", why: null },
      { channel: "webhook", state: "unclear", why: "the process ended while it was sent" },
    ]);
    await killed();
    expect(channels()).toHaveLength(3);
  });

  test("what was noted and not sent is sent by the next process", async () => {
    const { append, restart, channels } = world();
    append(ready());
    await restart();
    await restart();
    expect(channels()).toEqual(["github", "webhook"]);
  });
});

describe("what fails", () => {
  test("is tried again with longer and longer pauses, and reported once", async () => {
    const { tell, pass, sent, troubles, states, close } = world({ answers: { webhook: [LATER, LATER, SENT] } });
    await tell(waiting());
    expect(states()).toEqual([{ channel: "webhook", state: "waiting", why: "it answered 500" }]);
    await pass(10 * MINUTE);
    expect(sent.map(({ at }) => (at - START) / 1_000)).toEqual([0, 30, 150]);
    expect(states()).toEqual([{ channel: "webhook", state: "sent", why: null }]);
    expect(troubles).toEqual(["f1: webhook: not sent, it answered 500; it is tried again"]);
    await close();
  });

  test("is not tried before the channel wants it", async () => {
    const limited: SendResult = { result: "later", why: "it answered 429", retryAfterMs: 5 * MINUTE };
    const { tell, pass, sent, close } = world({ answers: { webhook: [limited, SENT] } });
    await tell(waiting());
    await pass(4 * MINUTE);
    expect(sent).toHaveLength(1);
    await pass(2 * MINUTE);
    expect(sent).toHaveLength(2);
    await close();
  });

  test("is given up after a day, and reported once more", async () => {
    const { tell, pass, sent, troubles, states, close } = world({ answers: { webhook: [LATER] } });
    await tell(waiting());
    await pass(26 * HOUR);
    expect(sent).toHaveLength(9);
    expect(states()).toEqual([{ channel: "webhook", state: "failed", why: "it answered 500" }]);
    expect(troubles).toHaveLength(2);
    await close();
  });

  test.for([
    { result: "refused", why: "it answered 404", state: "failed" },
    { result: "unclear", why: "it did not answer", state: "unclear" },
  ] as const)("$result is not tried again", async ({ result, why, state }) => {
    const { tell, pass, sent, states, close } = world({ answers: { webhook: [{ result, why }] } });
    await tell(waiting());
    await pass(HOUR);
    expect(sent).toHaveLength(1);
    expect(states()).toEqual([{ channel: "webhook", state, why }]);
    await close();
  });

  test("holds up no other channel", async () => {
    const hang = new Promise<SendResult>(() => {});
    const { begin, states } = world({ global: { notifications: EVERYWHERE }, answers: { slack: [hang] } });
    await begin(waiting(), 4);
    expect(states().map(({ channel, state }) => `${channel} ${state}`)).toEqual([
      ...["command sent", "email sent", "slack sending", "webhook sent"],
    ]);
  });

  test("what a person has settled meanwhile is told to nobody", async () => {
    const { tell, append, pass, sent, states, close } = world({ answers: { webhook: [LATER, SENT] } });
    const play = waiting();
    await tell(play);
    append(play.signal("accept"));
    await pass(HOUR);
    expect(sent).toHaveLength(1);
    expect(states()).toMatchObject([{ state: "dropped", why: "it was settled before it was sent" }]);
    await close();
  });

  test("what was switched off meanwhile is not sent", async () => {
    const { tell, config, pass, sent, states, close } = world({ answers: { webhook: [LATER, SENT] } });
    await tell(waiting());
    config.project = { notifications: { enabled: false } };
    await pass(HOUR);
    expect(sent).toHaveLength(1);
    expect(states()).toMatchObject([{ state: "dropped" }]);
    await close();
  });
});

describe("quiet hours", () => {
  const quiet = (over: object = {}) => ({
    global: { notifications: { ...ONE, quietHours: { from: "14:00", to: "15:30", timezone: "UTC" }, ...over } },
  });

  test("collect, and one message comes at their end", async () => {
    const { tell, pass, sent, states, close } = world(quiet());
    await tell(waiting());
    await pass(20 * MINUTE);
    await tell(ready(), "f1~2");
    await pass(65 * MINUTE);
    expect(sent.map(({ channel }) => channel)).toEqual(["github"]);
    await pass(10 * MINUTE);
    const [, digest, ...more] = sent;
    expect(more).toEqual([]);
    expect(digest?.at).toBe(START + 90 * MINUTE);
    expect(digest?.message).toMatchObject({
      kind: "digest",
      title: "2 messages from quiet hours",
      summary: ["Needs you: Add login (f1)", "Ready for review: Add login (https://forge/pr/7)"],
    });
    expect(states().map(({ state }) => state)).toEqual(["sent", "sent", "sent"]);
    await close();
  });

  test("one message alone comes as it is", async () => {
    const { tell, pass, sent, close } = world(quiet());
    await tell(waiting());
    await pass(2 * HOUR);
    expect(sent.map(({ message }) => message.title)).toEqual(["Needs you: Add login"]);
    await close();
  });

  test("without a digest each comes by itself", async () => {
    const { tell, pass, sent, close } = world(quiet({ digest: false }));
    await tell(waiting());
    await tell(waiting(), "f1~2");
    expect(sent).toEqual([]);
    await pass(2 * HOUR);
    expect(sent.map(({ message }) => message.kind)).toEqual(["needs-person", "needs-person"]);
    await close();
  });

  test("outlive the process", async () => {
    const { tell, clock, restart, sent, close } = world(quiet());
    await tell(waiting());
    await tell(waiting(), "f1~2");
    await clock.advance(3 * HOUR);
    await restart();
    expect(sent).toHaveLength(1);
    await restart();
    expect(sent).toHaveLength(1);
    await close();
  });
});

test("a channel that the settings name and that is not set up is named with what is missing, and fails nothing", async () => {
  const global = { reviewLoop: { notificationChannels: ["github", "slack"] } };
  const { tell, troubles, channels, close } = world({ global });
  await tell(ready());
  expect(channels()).toEqual(["github"]);
  expect(troubles).toEqual([
    "notifications: reviewLoop.notificationChannels: Slack has no webhook address: set notifications.slack.webhookUrl in your own settings.json, or the variable ANNEAL_SLACK_WEBHOOK_URL",
  ]);
  await close();
});
