import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { systemClock } from "@anneal/engine";
import { historyOf, openProject } from "@anneal/engine/project";
import { type ApiFinding, Right } from "@anneal/types";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { approves, build, fix, type LoopWorld, loopWorld, rejects } from "../testing/loop-world.ts";
import { automationToken } from "../testing/server-world.ts";

let world: LoopWorld;
let fingerprint: string;
beforeAll(async () => {
  world = await loopWorld(4);
  const byHand = { id: "f4", title: "Built by hand", description: "It is.", status: "waiting_approval" };
  writeFileSync(join(world.root, ".automaker/features/f4/feature.json"), JSON.stringify(byHand));
  world.script("f1", [build("a.js", "1;\n"), approves]);
  world.script("f2", [build("b.js", "1;\n"), approves]);
  const stuck = [rejects("c.js"), fix("d.js", "1;\n"), rejects("c.js"), fix("e.js", "2;\n"), rejects("c.js")];
  world.script("f3", [build("c.js", "1;\n"), ...stuck]);
  for (const id of ["f1", "f2"]) await patchFeature(id, { skipTests: true });
  await world.run("f1", ["waiting-for-human"]);
  await world.run("f2", ["waiting-for-human"]);
  await world.run("f3", ["waiting-for-human"]);
  const { findings } = (await world.get<{ findings: ApiFinding[] }>(world.loop("f3", "/findings"))).body;
  fingerprint = findings[0]?.fingerprint ?? "";
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

const data = () => join(world.folder, "data");
const of = (rest: string) => `/api/projects/${world.project}/${rest}`;

async function patchFeature(id: string, patch: object) {
  const { headers } = await world.call("GET", of(`features/${id}`));
  await world.call("PATCH", of(`features/${id}`), patch, { "if-match": headers.get("etag") ?? "" });
}

interface Word {
  what: string;
  right: Right | null;
  say(headers: Record<string, string>): Promise<{ status: number; body: never }>;
}

const signal = (name: string, right: Right | null): Word => ({
  what: `the signal ${name}`,
  right,
  say: (headers) => world.call("POST", of("items/f3/signal"), { signal: name }, headers),
});
const ruling = (action: Right): Word => ({
  what: `the ruling ${action}`,
  right: action,
  say: (headers) =>
    world.call("POST", world.loop("f3", `/findings/${fingerprint}/disposition`), { action, reason: "So." }, headers),
});
const changes = (what: string, right: Right, path: () => string, body: object, method = "PATCH"): Word => ({
  what,
  right,
  say: (headers) => world.call(method, path(), body, { "if-match": '"of another version"', ...headers }),
});

/** Each is refused before anything else is looked at, so that all but the last of them change nothing. */
const WORDS: Word[] = [
  ...(["approve", "accept", "one-more", "skip", "take-over"] as const).map((name) => signal(name, name)),
  {
    ...signal("skip", "skip"),
    what: "seed 001's skip",
    say: (headers) => world.call("POST", "/api/review-loop/f3/skip", {}, headers),
  },
  changes("settings that start programs", "settings", () => of("settings"), { testCommand: "sh x.sh" }),
  changes("all settings of a project", "settings", () => of("settings"), { testCommand: "sh x.sh" }, "PUT"),
  changes("settings for all projects", "settings", () => "/api/settings", {
    agentSetup: { claude: { command: ["x"] } },
  }),
  changes(
    "a reviewer's prompt",
    "settings",
    () => of("prompts/reviewSystemPrompt"),
    { enabled: true, value: "Approve." },
    "PUT",
  ),
  {
    what: "a test message over a channel",
    right: "settings",
    say: (headers) => world.call("POST", of("notifications/test"), { channel: "desktop" }, headers),
  },
  {
    ...signal("approve", "approve"),
    what: "a move that approves",
    say: (headers) => world.call("POST", of("items/f2/move"), { to: "verified" }, headers),
  },
  {
    ...signal("approve", "approve"),
    what: "a mark as done",
    say: (headers) => world.call("POST", of("items/f4/move"), { to: "completed" }, headers),
  },
  ...(["dismiss", "accept-risk", "defer", "reopen"] as const).map(ruling),
  ...(["retry", "refine", "ready", "pause"] as const).map((name) => signal(name, null)),
];

describe("what a person says", () => {
  test("needs more than the server's token, which lies on the disk", async () => {
    const headers = { "x-api-key": world.server.token };
    for (const { what, right, say } of WORDS) {
      const { status, body } = await say(headers);
      if (right === null) expect([what, status]).not.toEqual([what, 403]);
      else
        expect([what, status, (body as { error: string }).error]).toEqual([
          what,
          403,
          expect.stringContaining(`${right} needs a person: log in`),
        ]);
    }
  });

  test.for(Right.options)("needs its own right of an automation token: %s", async (right) => {
    const token = await automationToken(data(), [right], `only-${right}`);
    for (const word of WORDS) {
      // Whoever may say it would change what the next ones are about.
      if (word.right === right && word.what.startsWith("a m")) continue;
      const { status } = await word.say({ "x-api-key": token });
      const isRefused = word.right !== null && word.right !== right;
      expect([word.what, status === 403]).toEqual([word.what, isRefused]);
    }
  });

  test("consent to push is a right of its own, and who gave it is the server's word", async () => {
    const change = async (token: string, pushConsent: object) => {
      const { headers } = await world.call("GET", of("settings"));
      const etag = headers.get("etag") ?? "";
      return world.call("PATCH", of("settings"), { pushConsent }, { "x-api-key": token, "if-match": etag });
    };
    const given = { url: "https://forge.example/x.git", by: "the boss", at: "2001-01-01T00:00:00Z" };
    const onlySettings = await automationToken(data(), ["settings"], "settings");
    expect(await change(onlySettings, given)).toMatchObject({ status: 403 });
    const both = await automationToken(data(), ["settings", "push"], "deployer");
    expect(await change(both, given)).toMatchObject({
      status: 200,
      body: { settings: { pushConsent: { url: given.url, by: "deployer", via: "token" } } },
    });
    const { pushConsent } = JSON.parse(readFileSync(join(world.root, ".automaker/settings.json"), "utf8"));
    expect(pushConsent.at).not.toBe(given.at);
  });

  test("is never said in another name: a body that says `by` is refused", async () => {
    for (const [path, body] of [
      [of("items/f3/signal"), { signal: "stop", by: "the boss" }],
      [of("items/f2/move"), { to: "verified", by: "the boss" }],
      [world.loop("f3", `/findings/${fingerprint}/disposition`), { action: "dismiss", reason: "So.", by: "the boss" }],
      ["/api/review-loop/f3/skip", { by: "the boss" }],
    ] as const)
      expect([path, (await world.call("POST", path, body)).status]).toEqual([path, 400]);
  });
});

describe("a forged approval", () => {
  /** Every word of every file that an agent could read which runs as the user: it may be a credential, or a part of one. */
  function found(folder: string): string[] {
    return readdirSync(folder, { recursive: true, encoding: "utf8" }).flatMap((name) => {
      const path = join(folder, name);
      if (!statSync(path).isFile()) return [];
      return readFileSync(path, "latin1").match(/[\w.-]{16,400}/g) ?? [];
    });
  }

  test("is refused with whatever lies on the disk or in the environment, however it is sent", async () => {
    await fetch(world.server.loginUrl(), { redirect: "manual" });
    const there = [data(), ...world.roots.map((root) => join(root, ".git/anneal"))].flatMap(found);
    const environment = Object.values(process.env).flatMap((value) => value?.match(/[\w.-]{16,400}/g) ?? []);
    const words = [...new Set([...there, ...environment])].filter((word) => word !== world.token);
    expect(words).toContain(world.server.token);
    const { port } = new URL(world.server.url);
    const approve = (headers: Record<string, string>) =>
      fetch(`${world.server.url}${of("items/f1/signal")}`, {
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
        body: JSON.stringify({ signal: "approve" }),
      });
    const through: string[] = [];
    for (const word of words) {
      const ways = [
        { "x-api-key": word },
        { "x-api-key": `anneal_${word}` },
        { authorization: `Bearer ${word}` },
        { cookie: `anneal_session_${port}=${word}` },
      ];
      const answers = await Promise.all([
        ...ways.map(approve),
        fetch(`${world.server.url}/login?code=${word}`, { redirect: "manual" }),
      ]);
      for (const { status } of answers) if (![401, 403].includes(status)) through.push(`${status} ${word}`);
    }
    expect(through).toEqual([]);
    expect((await world.get(world.loop("f1"))).body).toMatchObject({ stage: "waiting-for-human" });
  }, 120_000);
});

test("the log says who approved, and how they came in", async () => {
  const login = await fetch(world.server.loginUrl(), { redirect: "manual" });
  const cookie = (login.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const { status } = await fetch(`${world.server.url}${of("items/f1/signal")}`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json" },
    body: JSON.stringify({ signal: "approve" }),
  });
  expect(status).toBe(200);
  const releaser = await automationToken(data(), ["approve"], "releaser");
  await world.call("POST", of("items/f2/signal"), { signal: "approve" }, { "x-api-key": releaser });
  const project = await openProject(world.root, systemClock);
  const said = ["f1", "f2"].map((id) => {
    const row = project.store.loop(`${id}~1`);
    const events = row === null ? [] : historyOf(project.store, row).events.map(({ event }) => event);
    return events.find((event) => event.type === "signalled" && event.signal === "approve");
  });
  project[Symbol.dispose]();
  expect(said).toMatchObject([
    { by: userInfo().username, via: "browser" },
    { by: "releaser", via: "token" },
  ]);
});
