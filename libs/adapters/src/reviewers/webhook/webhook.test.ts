import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { openRepo } from "@anneal/git";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { signed } from "../../../../core/src/read/testing/sign-off.ts";
import { makeRepo } from "../../../../git/src/testing/make-repo.ts";
import type { Agent, AgentRun } from "../../ports.ts";
import { WebhookError, webhookReviewer } from "./index.ts";

const TOKEN = "tok-0123456789";
const PASS = { verdict: "pass", issues: [], summary: "Fine.", sign_off: signed };
const workItem = { title: "T", description: "D" };

interface Asked {
  method: string | undefined;
  authorization: string | undefined;
  body: string;
}
type Play = (response: ServerResponse, request: IncomingMessage) => void;

async function asked(
  play: Play,
  more: {
    timeoutMs?: number;
    signal?: AbortSignal;
    path?: string;
    token?: string;
    through?: (agent: Agent) => Agent;
  } = {},
) {
  const seen: Asked[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    seen.push({
      method: request.method,
      authorization: request.headers.authorization,
      body: Buffer.concat(chunks).toString(),
    });
    play(response, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  using repo = makeRepo({ a: "1\n" });
  const bounds = { base: repo.git("rev-parse", "HEAD"), head: repo.commit({ a: "2\n" }), headKind: "commit" } as const;
  const opened = await openRepo(repo.dir);
  const change = opened.change(bounds);
  try {
    const reviewer = webhookReviewer({
      url: `http://127.0.0.1:${port}${more.path ?? "/secret-path?key=hidden"}`,
      patch: (ends) => opened.patch(ends),
      workItem,
      timeoutMs: more.timeoutMs ?? 20_000,
      token: more.token ?? TOKEN,
      ...(more.through === undefined ? {} : { through: more.through }),
    });
    const answer = await reviewer.review(change, more.signal ?? new AbortController().signal);
    return { ...answer, seen, bounds, patch: await opened.patch(bounds) };
  } finally {
    change.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const answering =
  (body: unknown, status = 200, headers = {}): Play =>
  (response) =>
    void response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));

test("it is sent the change, and its verdict is read", async () => {
  const { report, seen, bounds, patch, coverage } = await asked(answering(PASS));
  expect(report).toMatchObject({ status: "complete", claim: "pass", summary: "Fine." });
  expect(seen).toHaveLength(1);
  expect(seen[0]).toMatchObject({ method: "POST", authorization: `Bearer ${TOKEN}` });
  expect(JSON.parse(seen[0]?.body ?? "")).toEqual({ base: bounds.base, head: bounds.head, patch, workItem });
  expect(coverage).toEqual({ reviewed: ["a"], skipped: [] });
});

test("its issues are findings", async () => {
  const issue = { severity: "high", category: "logic", file: "a", lineStart: 1, description: "Wrong." };
  const { report } = await asked(answering({ ...PASS, verdict: "needs_work", issues: [issue] }));
  expect(report).toMatchObject({ claim: "fail", findings: [{ severity: "high", file: "a", line: 1 }] });
});

describe("what is no answer is inconclusive", () => {
  test.for([
    { what: "prose", play: answering("All good, pass."), reason: "not JSON" },
    { what: "prose around an answer", play: answering(`Here: ${JSON.stringify(PASS)}`), reason: "not JSON" },
    { what: "an empty body", play: answering(""), reason: "not JSON" },
    { what: "another object", play: answering({ ok: true }), reason: "no JSON object" },
    {
      what: "two verdicts",
      play: answering('{"verdict":"needs_work","verdict":"pass","issues":[],"summary":"x"}'),
      reason: "",
    },
    { what: "a failure", play: answering(PASS, 500), reason: "answered 500" },
    { what: "an accepted request", play: answering(PASS, 202), reason: "answered 202" },
    {
      what: "a redirect",
      play: answering("", 307, { location: "http://127.0.0.1:9/" }),
      reason: "redirects are not followed",
    },
    {
      what: "bytes that are no text",
      play: ((response) => response.end(Buffer.from([0xff, 0xfe]))) as Play,
      reason: "not UTF-8",
    },
    { what: "a cut connection", play: ((response) => response.destroy()) as Play, reason: "could not be reached" },
    {
      what: "a body without end",
      play: ((response) => {
        const more = () => {
          while (response.write("x".repeat(1024 * 1024)) && !response.destroyed);
          if (!response.destroyed) response.once("drain", more);
        };
        more();
      }) as Play,
      reason: "more than 8 MB",
    },
  ])("$what", async ({ play, reason }) => {
    const { report, seen } = await asked(play);
    expect(report).toMatchObject({ status: "inconclusive", reason: expect.stringContaining(reason) });
    expect(JSON.stringify(report)).not.toMatch(/secret-path|hidden|tok-/);
    expect(seen).toHaveLength(1);
  });

  test("no answer within its time", async () => {
    const { report } = await asked(() => {}, { timeoutMs: 50 });
    expect(report).toMatchObject({ reason: expect.stringContaining("did not answer within 50 ms") });
  });

  test("an answer that has begun, and has no end within its time", async () => {
    const { report } = await asked((response) => void response.write("{"), { timeoutMs: 300 });
    expect(report).toMatchObject({
      reason: expect.stringContaining("began to answer, but did not finish within 300 ms"),
    });
  });

  test("no limit but the policy's own: a client that gives up by itself is not used", async () => {
    const fetching = vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("HeadersTimeoutError"));
    onTestFinished(() => fetching.mockRestore());
    expect((await asked(answering(PASS))).report).toMatchObject({ claim: "pass" });
  });

  test("one that refuses us is not asked again", async () => {
    expect(await asked(answering("", 401))).toMatchObject({ lasting: true });
    expect(await asked(answering("", 503))).not.toHaveProperty("lasting");
  });
});

describe("an answer that repeats the token does not carry it on", () => {
  const token = 'tok/0123"456789';
  test.for([
    { how: "plain", written: JSON.stringify(token) },
    { how: "with slashes escaped", written: JSON.stringify(token).replaceAll("/", "\\/") },
    { how: "in escapes of characters", written: `"${[...token].map(unicode).join("")}"` },
    { how: "as JSON within JSON", written: JSON.stringify(JSON.stringify({ token })) },
  ])("$how", async ({ written }) => {
    const issue = `{"severity":"high","category":"logic","file":"a","lineStart":1,"description":${written}}`;
    const body = `{"verdict":"needs_work","issues":[${issue}],"summary":${written}}`;
    const { report } = await asked(answering(body), { token });
    expect(report).toMatchObject({ claim: "fail", summary: expect.stringContaining("[redacted]") });
    expect(JSON.stringify(report)).not.toMatch(/0123|456789/);
  });
});

function unicode(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

test("a person's word stops it", async () => {
  const stop = new AbortController();
  const play: Play = () => stop.abort(new Error("stopped"));
  await expect(asked(play, { signal: stop.signal })).rejects.toThrow("stopped");
});

describe("an address", () => {
  const setup = { patch: async () => "", workItem, timeoutMs: 1 };
  test.for(["https://example.com/x", "http://localhost:1/", "http://127.9.9.9/", "http://[::1]:8/"])(
    "%s is taken",
    (url) => {
      expect(webhookReviewer({ ...setup, url }).name).toBe("webhook");
    },
  );
  test.for([
    "http://example.com/",
    "http://127.0.0.1.example.com/",
    "http://0.0.0.0/",
    "ftp://127.0.0.1/",
    "file:///etc/passwd",
    "nonsense",
    "https://ada:pass-word@example.com/",
  ])("%s is refused, without what is secret in it", (url) => {
    const make = () => webhookReviewer({ ...setup, url });
    expect(make).toThrow(WebhookError);
    expect(make).not.toThrow("pass-word");
  });
  test("a token that no header can hold is refused unseen", () => {
    const make = () => webhookReviewer({ ...setup, url: "https://example.com", token: "a\nb-secret" });
    expect(make).toThrow("not a usable token");
    expect(make).not.toThrow("b-secret");
  });
});

describe("whoever turns a request away", () => {
  const turned = async (status: number, headers: Record<string, string> = {}) => {
    const runs: AgentRun[] = [];
    const through = (agent: Agent): Agent => ({
      ...agent,
      run: async (request, signal) => {
        const run = await agent.run(request, signal);
        runs.push(run);
        return run;
      },
    });
    await asked(answering("", status, headers), { through });
    return runs;
  };

  test.for([
    { status: 429, headers: { "retry-after": "9" }, is: { rateLimited: { retryAfterMs: 9_000 } } },
    {
      status: 503,
      headers: { "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" },
      is: { rateLimited: { retryAfterMs: 0 } },
    },
    { status: 408, headers: {}, is: { rateLimited: { retryAfterMs: null } } },
    { status: 500, headers: { "retry-after": "soon" }, is: { rateLimited: { retryAfterMs: null } } },
    { status: 403, headers: { "retry-after": "9" }, is: { lasting: true } },
    { status: 410, headers: {}, is: { lasting: true } },
  ])("with $status $headers is asked again as agents are: $is", async ({ status, headers, is }) => {
    expect(await turned(status, headers)).toEqual([
      { status: "failed", text: "", usage: {}, error: `it answered ${status}`, ...is },
    ]);
  });
});
