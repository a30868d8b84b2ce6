// A GitHub that breaks, over our own stand-in: nothing is done twice, and the error says what to do.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { inspect } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ForgeError, RateLimited } from "../contract/errors.ts";
import { beforeFlow, flowThrough } from "../testing/whole-flow.ts";
import { openGitHub } from "./index.ts";
import { content } from "./testing/content.ts";
import { type GithubWorld, githubWorld } from "./testing/github-world.ts";
import { type Misbehaviour, TOKEN } from "./testing/stand-in.ts";

let world: GithubWorld;
beforeEach(async () => {
  world = await githubWorld();
  await beforeFlow(world.fake);
});
afterEach(() => world.close());

/** Answers with a status, and headers where they matter. */
function answer(response: ServerResponse, status: number, { headers = {}, text = '{"message":"no"}' } = {}): true {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(text);
  return true;
}

interface Fault {
  what: string;
  act: Misbehaviour;
  kind: string;
}

const limited = { "retry-after": "90" };
const FAULTS: Fault[] = [
  {
    what: "502 after it was done",
    act: async (_, response, perform) => {
      await perform();
      return answer(response, 502, { headers: { "content-type": "text/html" }, text: "<html>" });
    },
    kind: "unavailable",
  },
  {
    what: "a connection that drops after it was done",
    act: async (_, response, perform) => {
      await perform();
      response.destroy();
      return true;
    },
    kind: "unavailable",
  },
  {
    what: "an answer that breaks off after it was done",
    act: async (_, response, perform) =>
      answer(response, 200, { text: JSON.stringify((await perform()).body).slice(0, -9) }),
    kind: "unavailable",
  },
  {
    what: "a connection that drops before anything was done",
    act: async (_, response) => {
      response.destroy();
      return true;
    },
    kind: "unavailable",
  },
  { what: "503", act: async (_, response) => answer(response, 503), kind: "unavailable" },
  {
    what: "403 with a second limit",
    act: async (_, response) => answer(response, 403, { headers: limited }),
    kind: "rate-limited",
  },
  { what: "429", act: async (_, response) => answer(response, 429, { headers: limited }), kind: "rate-limited" },
];

describe("a change at GitHub", () => {
  test.for(FAULTS)(
    "that meets $what, is not sent again, and a repeated flow leaves what one undisturbed leaves",
    async ({ act, kind }) => {
      const undisturbed = await githubWorld();
      await beforeFlow(undisturbed.fake);
      await flowThrough(undisturbed.forge);
      const expected = await content(undisturbed.forge);
      await undisturbed.close();
      // Each of our changes meets the fault once, and who comes back knows nothing of it.
      const met = new Set<string>();
      let sent = 0;
      world.standIn.misbehave = async (request, response, perform) => {
        if (!request.isChange) return false;
        sent += 1;
        const name = `${request.method} ${request.path} ${JSON.stringify(request.body)}`;
        if (met.has(name)) return false;
        met.add(name);
        return act(request, response, perform);
      };
      for (let attempt = 0; ; attempt++) {
        const before = met.size;
        sent = 0;
        const error = await flowThrough(world.fresh()).then(
          () => null,
          (thrown: unknown) => thrown,
        );
        if (error === null) break;
        expect(error).toMatchObject({ kind });
        expect(met.size).toBe(before + 1);
        expect(attempt).toBeLessThan(20);
      }
      expect(met.size).toBeGreaterThan(5);
      world.standIn.misbehave = null;
      expect(await content(world.fresh())).toEqual(expected);
      expect(sent).toBeLessThan(10);
    },
  );
});

describe("an answer of GitHub", () => {
  const now = () => world.now();

  test.for([
    { what: "retry-after in seconds", status: 403, headers: { "retry-after": "90" }, inMs: 90_000 },
    {
      what: "retry-after before any reset",
      status: 429,
      headers: { "retry-after": "5", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "9999999999" },
      inMs: 5_000,
    },
    {
      what: "no time, and says that it limits",
      status: 403,
      text: '{"message":"You have exceeded a secondary rate limit."}',
      inMs: 60_000,
    },
    { what: "no time at all", status: 429, inMs: 60_000 },
  ])("with $what says when to come back", async ({ status, headers = {}, text = "{}", inMs }) => {
    world.standIn.misbehave = async (_, response) => answer(response, status, { headers, text });
    const error = await world.forge.get(1).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RateLimited);
    // The clock moves on by a second with every look at it.
    expect((error as RateLimited).retryAt - now()).toBeGreaterThan(inMs - 10_000);
    expect((error as RateLimited).retryAt - now()).toBeLessThanOrEqual(inMs);
  });

  test("that names a reset is that reset", async () => {
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1900000000" };
    world.standIn.misbehave = async (_, response) => answer(response, 403, { headers });
    await expect(world.forge.get(1)).rejects.toMatchObject({ retryAt: 1_900_000_000_000 });
  });

  test.for([
    { what: "401", status: 401, kind: "unauthenticated", says: "gh auth login" },
    { what: "403 without a limit", status: 403, kind: "forbidden", says: "give it more rights" },
    { what: "404", status: 404, kind: "not-found", says: "check the number" },
    { what: "500", status: 500, kind: "unavailable", says: "try again later" },
    { what: "cut JSON", status: 200, text: '{"number":1,"ti', kind: "unavailable", says: "broke off" },
    { what: "JSON of another shape", status: 200, text: '{"number":1}', kind: "damaged", says: "lacks" },
    {
      what: "a page",
      status: 200,
      headers: { "content-type": "text/html" },
      text: "<html>",
      kind: "damaged",
      says: "check the address",
    },
    {
      what: "422",
      status: 422,
      text: '{"message":"Validation Failed","errors":[{"resource":"X","field":"y","code":"z"}]}',
      kind: "invalid",
      says: "X y z",
    },
  ])(
    "that is $what is an error that says what to do, and never the token",
    async ({ status, headers = {}, text, kind, says }) => {
      const spoken = text ?? `{"message":"bad ${TOKEN}"}`;
      world.standIn.misbehave = async (_, response) => answer(response, status, { headers, text: spoken });
      const error = await world.forge.get(1).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(ForgeError);
      expect(error).toMatchObject({ kind, message: expect.stringContaining(says) });
      expect(inspect(error, { depth: 9 })).not.toContain(TOKEN);
    },
  );

  test("that sends a change elsewhere is not followed", async () => {
    world.standIn.misbehave = async ({ isChange }, response) =>
      isChange && answer(response, 307, { headers: { location: `${world.standIn.address}/evil` } });
    const asked = world.forge.say(1, { key: "k", body: "b" });
    await expect(asked).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("git remote set-url"),
    });
  });

  test("about checks of a commit that it does not know is no check", async () => {
    world.standIn.misbehave = async ({ path }, response) =>
      path.includes("/commits/") && answer(response, 422, { text: '{"message":"No commit found for SHA"}' });
    expect(await world.forge.checks("f".repeat(40))).toEqual([]);
  });

  test("from nobody is an outage", async () => {
    await world.standIn.close();
    await expect(world.forge.get(1)).rejects.toMatchObject({
      kind: "unavailable",
      message: expect.stringContaining("ECONNREFUSED"),
    });
  });
});

test("a token that was not accepted is asked for again, and so is whose it is", async () => {
  await expect(openGitHub(world.standIn.address, { token: "wrong" }).me()).rejects.toMatchObject({
    kind: "unauthenticated",
  });
  expect(await world.forge.me()).toBe("anneal");
  world.standIn.misbehave = async (_, response) => answer(response, 401);
  await expect(world.forge.get(1)).rejects.toMatchObject({ kind: "unauthenticated" });
  world.standIn.misbehave = null;
  const before = world.standIn.requests.length;
  expect(await world.forge.get(1)).toMatchObject({ number: 1 });
  expect(world.standIn.requests.slice(before).map(({ path }) => path)).toContain("/user");
});

test("a token that belongs to no user is known by what GraphQL says", async () => {
  world.standIn.misbehave = async ({ path }, response) =>
    path === "/user" && answer(response, 403, { text: '{"message":"Resource not accessible by integration"}' });
  expect(await world.forge.me()).toBe("anneal");
});

test("two who open at once from elsewhere make one pull request", async () => {
  await world.as("alice").push("other", { c: "1\n" }, "main");
  const request = { key: "k", branch: "other", base: "main", title: "T", body: "B", draft: false };
  const all = await Promise.allSettled([world.fresh().open(request), world.fresh().open(request)]);
  const lost = all.filter(({ status }) => status === "rejected");
  for (const one of lost) expect(one).toMatchObject({ reason: { kind: "unavailable" } });
  expect(await world.forge.open(request)).toMatchObject({ outcome: "found" });
  expect(await world.forge.fromBranch("other")).toHaveLength(1);
});

test("what a review says about a line that is not in the diff stands in its text", async () => {
  const { head } = await world.forge.get(1);
  const comments = [
    { file: "b", line: 1, body: "here" },
    { file: "b", line: 7, body: "beyond" },
    { file: "a", line: 1, body: "elsewhere" },
  ];
  const asked = { key: "r", head: head.sha, verdict: "comment", body: "Three.", comments } as const;
  const { review } = await world.forge.review(1, asked);
  expect(review.body).toBe("Three.\n\n**b:7**\n\nbeyond\n\n**a:1**\n\nelsewhere");
  expect((await world.forge.comments(1)).filter(({ kind }) => kind === "line")).toMatchObject([
    { body: "here", key: "r:1" },
  ]);
  expect(await world.forge.review(1, asked)).toMatchObject({ outcome: "unchanged" });
  expect(world.standIn.objections).toEqual([]);
});

test("a review that GitHub refuses and makes all the same is not made twice, and says all of it", async () => {
  const { head } = await world.forge.get(1);
  const comments = [{ file: "b", line: 1, body: "here" }];
  world.standIn.misbehave = async ({ method, path, body }, response) => {
    if (method !== "POST" || !path.endsWith("/reviews")) return false;
    await world.as("anneal").review(1, { state: "commented", body: (body as { body: string }).body });
    const field = "pull_request_review_thread.line";
    const errors = [{ resource: "PullRequestReviewComment", code: "custom", field, message: "could not be resolved" }];
    return answer(response, 422, { text: JSON.stringify({ message: "Validation Failed", errors }) });
  };
  await world.forge.review(1, { key: "r", head: head.sha, verdict: "comment", body: "One.", comments });
  expect(await world.forge.reviews(1)).toMatchObject([{ key: "r", body: "One.\n\n**b:1**\n\nhere" }]);
});

test("a fork's branch that is named like ours is another branch, whatever stands in its pull request", async () => {
  world.standIn.misbehave = async ({ method, path }, response, perform) => {
    if (method !== "GET" || !/\/pulls(\/1)?$/.test(path)) return false;
    const theirs = (one: object) => ({
      ...one,
      head: { ref: "topic", label: "mallory:topic", sha: "f".repeat(40), repo: { id: 2 } },
    });
    const { body } = await perform();
    return answer(response, 200, {
      text: JSON.stringify(Array.isArray(body) ? body.map(theirs) : theirs(body as object)),
    });
  };
  expect(await world.forge.fromBranch("topic")).toEqual([]);
  expect(await world.forge.get(1)).toMatchObject({ head: { branch: "mallory:topic" } });
  expect(await world.forge.merge(1, { method: "merge", expectedHead: world.fake.dir })).toMatchObject({
    result: "head-moved",
  });
});

test("statuses are checks, and a job that GitHub ran has the end of its log, without the token going along", async () => {
  const elsewhere = createServer((request, response) => {
    const isClean = request.headers.authorization === undefined;
    response.end(isClean ? `${"x".repeat(20_000)}\nError: 1 is not 2` : "the token came along");
  });
  await new Promise<void>((done) => elsewhere.listen(0, "127.0.0.1", done));
  const { port } = elsewhere.address() as AddressInfo;
  const run = {
    id: 7,
    name: "test",
    status: "completed",
    conclusion: "failure",
    app: { slug: "github-actions" },
    output: {},
  };
  const of = (id: number, context: string, state: string) => ({
    id,
    context,
    state,
    description: "d",
    updated_at: "2027-01-01T00:00:00Z",
  });
  const statuses = [of(1, "deploy", "pending"), of(2, "lint", "error"), of(3, "sign", "success")];
  const answers: Record<string, object> = {
    "check-runs": { check_runs: [run, { ...run, id: 8, name: "odd", conclusion: "invented" }] },
    status: { statuses },
  };
  world.standIn.misbehave = async ({ path }, response) => {
    const found = answers[path.split("/").at(-1) ?? ""];
    if (found !== undefined) return answer(response, 200, { text: JSON.stringify(found) });
    return (
      path.endsWith("/actions/jobs/7/logs") &&
      answer(response, 302, { headers: { location: `http://127.0.0.1:${port}/log` } })
    );
  };
  const checks = (await world.forge.checks("f".repeat(40))).toSorted((one, other) =>
    one.name.localeCompare(other.name),
  );
  elsewhere.close();
  expect(checks).toMatchObject([
    { name: "deploy", status: "in_progress", conclusion: null, completedAt: null },
    { name: "lint", status: "completed", conclusion: "failure", summary: "d" },
    { name: "odd", conclusion: "action_required" },
    { name: "sign", conclusion: "success" },
    { name: "test", conclusion: "failure", log: expect.stringMatching(/^x{1,10000}\nError: 1 is not 2$/) },
  ]);
});

test("a thread is resolved by any comment that begins one", async () => {
  const id = await world.as("alice").comment(1, "Why?", { file: "b", line: 1 });
  const forge = openGitHub(world.standIn.address, { token: TOKEN });
  await forge.resolve(1, id);
  expect((await forge.comments(1)).map(({ thread }) => thread?.resolved)).toEqual([undefined, true]);
  await expect(forge.resolve(1, 99_999)).rejects.toMatchObject({ kind: "not-found" });
});

test("a look at what has not changed costs nothing of GitHub's limit", async () => {
  const { cursor } = await world.forge.changed(1, null);
  const before = world.standIn.requests.length;
  expect(await world.forge.changed(1, cursor)).toEqual({ changed: false, cursor });
  const asked = world.standIn.requests.slice(before);
  expect(asked.map(({ status }) => status)).toEqual([304, 304, 304]);
  expect(await world.fresh().changed(1, cursor)).toEqual({ changed: false, cursor });
});

test("what an edit or a resolved thread changes is heard at a look at the whole", async () => {
  const id = await world.as("alice").comment(1, "Why?", { file: "b", line: 1 });
  let { cursor } = await world.forge.changed(1, null);
  for (const happens of [() => world.as("alice").edit(1, id, "Please."), () => world.as("alice").resolve(1, id)]) {
    await happens();
    const heard = await world.fresh().changed(1, cursor);
    expect(heard.changed).toBe(true);
    cursor = heard.cursor;
  }
});

test("requests go one after the other, and changes a second apart", async () => {
  let at = 0;
  let open = 0;
  const begun: { at: number; isChange: boolean }[] = [];
  const clock = {
    now: () => at,
    sleep: async (ms: number) => {
      at += ms;
    },
  };
  world.standIn.misbehave = async ({ isChange }) => {
    expect(open++).toBe(0);
    begun.push({ at, isChange });
    await new Promise((done) => setTimeout(done, 5));
    open -= 1;
    return false;
  };
  const forge = openGitHub(world.standIn.address, { token: TOKEN, clock, pace: { readMs: 75, writeMs: 1_000 } });
  await Promise.all([1, 2, 3].map((n) => forge.say(1, { key: `k${n}`, body: "b" })));
  const gaps = (all: { at: number }[]) => all.slice(1).map((one, n) => one.at - (all[n]?.at ?? 0));
  expect(Math.min(...gaps(begun))).toBeGreaterThanOrEqual(75);
  expect(Math.min(...gaps(begun.filter(({ isChange }) => isChange)))).toBeGreaterThanOrEqual(1_000);
});
