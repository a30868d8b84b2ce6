import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiPullRequest } from "@anneal/types";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addForge, selfReviews } from "../../testing/forge.ts";
import { build, type LoopWorld, loopWorld } from "../../testing/loop-world.ts";

const made = [build("a.js", "export const a = 1;\n"), selfReviews("pass", "It does what was asked.")];

let world: LoopWorld;
let source: number;
let comments: () => Promise<unknown[]>;
beforeAll(async () => {
  world = await loopWorld(2);
  const forge = await addForge(world);
  // That it is ready is said beside this.
  comments = async () => (await forge.comments(1)).filter(({ key }) => key?.startsWith("notice:") !== true);
  world.script("f1", made);
  await world.run("f1", ["awaiting-feedback"]);
  await forge.as("alice").comment(1, "Why is it one?");
  // A server that starts asks the forge at once.
  await world.stop();
  await world.start();
  await world.reached("f1", ["waiting-for-human"]);
  const { body } = await world.get<ApiPullRequest>(world.loop("f1", "/pull-request"));
  source = body.questions[0]?.sourceId ?? 0;
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

const path = (of: unknown = source) => world.loop("f1", `/questions/${of}/draft`);
const draft = (of?: unknown) => world.call("POST", path(of));

/** What the agent does that is asked for a draft next. */
function drafts(step: object): void {
  world.script("f1", [...made, { role: "analyst", ...step }]);
}

const answers = (suggestedResponse: string) => ({
  answer: {
    actionableIssues: [],
    questionsToAnswer: [{ sourceId: source, author: "alice", question: "Why is it one?", suggestedResponse }],
    requiresHumanDecision: [],
    overallStatus: "needs_human_input",
  },
});

/** Copies that are whole: from then on somebody reads there. */
async function treesNow(): Promise<string> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith("anneal-review-"));
  return names.filter((name) => existsSync(join(tmpdir(), name, ".git"))).join(" ");
}

/** Asks twice at once for a draft that never comes; one of both is told that the other is under way. */
async function oneUnderWay(): Promise<{ leave(): void; left: Promise<number | null> }> {
  drafts({ end: "hang" });
  const before = await treesNow();
  const away = new AbortController();
  const ask = async () => {
    const { url, token } = world.server;
    const headers = { "x-api-key": token };
    const answer = await fetch(`${url}${path()}`, { method: "POST", headers, signal: away.signal }).catch(() => null);
    return answer?.status ?? null;
  };
  const asked = [ask(), ask()].map((one, index) => one.then((status) => ({ status, index })));
  const first = await Promise.race(asked);
  expect(first.status).toBe(409);
  // With a tree to read in, the agent has its script, and hangs whatever is written there from now on.
  while ((await treesNow()) === before);
  const other = asked[1 - first.index];
  return { leave: () => away.abort(), left: (other ?? Promise.reject()).then(({ status }) => status) };
}

test("a question has a reply drafted, which is told and neither kept nor posted", async () => {
  drafts(answers("Because a.js says so."));
  const before = await world.get(world.loop("f1"));
  const said = await comments();
  expect(await draft()).toMatchObject({ status: 200, body: { draft: "Because a.js says so." } });
  expect((await world.get(world.loop("f1"))).headers.get("etag")).toBe(before.headers.get("etag"));
  expect(await comments()).toEqual(said);
  const { body } = await world.get<ApiPullRequest>(world.loop("f1", "/pull-request"));
  expect(body.questions).toEqual([{ sourceId: source, author: "alice", question: "Why is it one?", reply: null }]);
});

test("secrets that the server holds are not in a draft, nor in why there is none", async () => {
  drafts(answers(`It is ${world.server.token}.`));
  expect((await draft()).body).toEqual({ draft: "It is [redacted]." });
  drafts({ error: `no ${world.server.token}` });
  expect(await draft()).toMatchObject({
    status: 503,
    body: { code: "unavailable", error: "scripted drafted no reply: no [redacted]" },
  });
});

test.for([
  { what: "prose", step: { answer: "Because." } },
  { what: "nothing", step: { answer: "" } },
  { what: "half an answer", step: { end: "no-terminal-event" } },
])("an agent that leaves $what has drafted none: 503, and why", async ({ step }) => {
  drafts(step);
  expect(await draft()).toMatchObject({
    status: 503,
    body: {
      success: false,
      code: "unavailable",
      error: expect.stringMatching(/^scripted drafted no (?:usable )?reply/),
    },
  });
});

test("400, 401, 404: for what cannot be a question, without credentials, and where nobody asks one", async () => {
  expect(await draft("x")).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^source: /) } });
  expect((await draft("1.5")).status).toBe(400);
  expect((await world.call("POST", path(), undefined, { "x-api-key": "wrong" })).status).toBe(401);
  expect(await draft(source + 1)).toMatchObject({ status: 404, body: { error: expect.stringContaining("question") } });
  expect((await world.call("POST", world.loop("f9", "/questions/1/draft"))).status).toBe(404);
  expect((await world.call("POST", "/api/projects/none/loops/f1~1/questions/1/draft")).status).toBe(404);
});

test("one draft at a time for a question: 409; one that nobody waits for any more is called off", async () => {
  const { leave, left } = await oneUnderWay();
  leave();
  expect(await left).toBe(null);
  drafts(answers("Because."));
  for (;;) {
    const { status, body } = await draft();
    if (status === 409) continue;
    expect([status, body]).toEqual([200, { draft: "Because." }]);
    return;
  }
});

test("a server that stops calls drafts off first", async () => {
  const { left } = await oneUnderWay();
  await world.stop();
  expect(await left).toBe(503);
  await world.start();
});
