import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ApiNotifications, ApiNotifyTest } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answer, faultServer, plays } from "../../../../../libs/adapters/src/notify/testing/fault-server.ts";
import { serverWorld, type World } from "../../testing/server-world.ts";

let world: World;
let slack: Awaited<ReturnType<typeof faultServer>>;
beforeAll(async () => {
  slack = await faultServer(plays.ok, answer(500));
  world = await serverWorld();
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
  await slack[Symbol.asyncDispose]();
});

const at = () => `/api/projects/${world.ids[0]}/notifications`;
const own = () => `/api/projects/${world.ids[0]}/settings`;

async function patch(path: string, change: object) {
  const { headers } = await world.call("GET", path);
  return await world.call("PATCH", path, change, { "if-match": headers.get("etag") ?? "" });
}

async function channel(name: string) {
  const body: ApiNotifications = (await world.call("GET", at())).body;
  return body.channels.find((one) => one.channel === name);
}

const send = async (name: string) => await world.call("POST", `${at()}/test`, { channel: name });

describe("before anything is set up", () => {
  test("the pull request is told, and every other channel says what it lacks", async () => {
    expect(await channel("github")).toMatchObject({ configured: true, missing: null, tells: ["ready"], last: null });
    expect(await channel("slack")).toMatchObject({
      configured: false,
      missing: expect.stringContaining("notifications.slack.webhookUrl"),
      tells: [],
    });
  });

  test("a test is refused with what is missing", async () => {
    const { status, body } = await send("email");
    expect(status).toBe(200);
    expect(body).toMatchObject({ channel: "email", result: "refused", why: expect.stringContaining("from and to") });
  });

  test("a channel that is not set up cannot be chosen, and nothing is changed", async () => {
    const { status, body } = await patch(own(), { reviewLoop: { notificationChannels: ["github", "slack"] } });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      problems: [{ path: "reviewLoop.notificationChannels", message: expect.stringContaining("no webhook address") }],
    });
    expect(readFileSync(join(world.roots[0] ?? "", ".automaker/settings.json"), "utf8")).not.toContain("slack");
  });

  test.for([
    { what: "another machine without TLS", slack: { webhookUrl: "http://hooks.example/x" } },
    { what: "a person who is no member id", slack: { users: ["<!channel>"] } },
  ])("$what is refused", async ({ slack: wrong }) => {
    expect((await patch("/api/settings", { notifications: { slack: wrong } })).status).toBe(400);
  });

  test.for([
    { what: "a program", notifications: { command: { argv: ["sh"] } } },
    { what: "an address", notifications: { slack: { webhookUrl: "https://hooks.example/x" } } },
    { what: "a variable", notifications: { webhook: { url: "https://hooks.example/x", secretEnv: "HOME" } } },
  ])("a repository names no notifier: $what", async ({ notifications }) => {
    expect((await patch(own(), { notifications })).status).toBe(400);
  });
});

describe("Slack", () => {
  beforeAll(async () => {
    const notifications = { slack: { webhookUrl: slack.url, users: ["U012AB3CD"] } };
    expect((await patch("/api/settings", { notifications })).status).toBe(200);
  });

  test("its address is never shown", async () => {
    for (const path of ["/api/settings", `${own()}/effective`, at()]) {
      expect(JSON.stringify((await world.call("GET", path)).body)).not.toContain("secret-part");
    }
  });

  test("can be chosen now", async () => {
    const change = {
      reviewLoop: { notificationChannels: ["github", "slack"] },
      notifications: { slack: { channel: "#ci" } },
    };
    expect((await patch(own(), change)).status).toBe(200);
    expect(await channel("slack")).toMatchObject({ tells: ["ready", "needs-person", "failed"] });
  });

  test("a test arrives in the project's channel, and what became of it is kept", async () => {
    const body: ApiNotifyTest = (await send("slack")).body;
    expect(body).toEqual({ channel: "slack", result: "sent", why: null });
    const posted = JSON.parse(slack.received[0]?.body ?? "");
    expect(posted).toMatchObject({ channel: "#ci", text: "<@U012AB3CD> A test from Anneal" });
    expect(await channel("slack")).toMatchObject({ last: { title: "A test from Anneal", state: "sent", why: null } });
  });

  test("one that fails says why", async () => {
    expect((await send("slack")).body).toEqual({ channel: "slack", result: "later", why: "it answered 500" });
    expect(await channel("slack")).toMatchObject({ last: { state: "failed", why: "it answered 500" }, waiting: 0 });
  });
});

test("a project without a forge says so", async () => {
  expect((await send("github")).body).toMatchObject({ result: "refused", why: expect.stringMatching(/no remote/) });
});

test("there are no other channels", async () => {
  expect((await send("pigeon")).status).toBe(400);
});
