import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { createEmulator, type Emulator } from "emulate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { slackNotifier } from "./index.ts";

let slack: Emulator;
beforeAll(async () => {
  const seed = {
    slack: {
      channels: [{ name: "general" }, { name: "reviews" }],
      incoming_webhooks: [{ channel: "reviews", label: "Anneal" }],
    },
  };
  slack = await createEmulator({ service: "slack", port: await freePort(), seed });
});
afterAll(async () => await slack.close());

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

interface Answer {
  channels?: { id: string; name: string }[];
  messages?: { text: string; blocks: { type: string }[] }[];
}

async function api(method: string, body: object): Promise<Answer> {
  const headers = { authorization: "Bearer test_token_admin", "content-type": "application/json" };
  const answer = await fetch(`${slack.url}/api/${method}`, { method: "POST", headers, body: JSON.stringify(body) });
  return (await answer.json()) as Answer;
}

async function messagesIn(name: string) {
  const { channels = [] } = await api("conversations.list", {});
  const channel = channels.find((one) => one.name === name)?.id;
  return (await api("conversations.history", { channel })).messages ?? [];
}

const message = {
  key: "notice:1",
  kind: "ready",
  project: "shop",
  item: "login",
  title: "Ready for review: Add login",
  link: "https://forge.example/shop/pull/7",
  summary: ["2 rounds, 3 files reviewed, 1 fixed, 0 open."],
  command: "anneal show login",
  pullRequest: 7,
} as const;

test("Slack shows the message in the channel, with its link, its summary and the people that it tags", async () => {
  const setup = {
    webhookUrl: `${slack.url}/services/T000000001/B000000001/X1`,
    channel: "reviews",
    users: ["U000000001"],
  };
  const sent = await slackNotifier(setup).send(
    { ...message, summary: [...message.summary] },
    new AbortController().signal,
  );
  expect(sent).toEqual({ result: "sent" });
  const [shown, ...more] = await messagesIn("reviews");
  expect(more).toEqual([]);
  expect(shown?.text).toContain("<@U000000001> Ready for review: Add login https://forge.example/shop/pull/7");
  expect(shown?.blocks.map(({ type }) => type)).toEqual(["header", "section", "section", "context"]);
  expect(JSON.stringify(shown?.blocks)).toContain("2 rounds, 3 files reviewed, 1 fixed, 0 open.");
});
