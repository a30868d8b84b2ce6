// A day of polling, counted: requests are answered in this process, and time is what the polling says it is.
import { afterEach, expect, test, vi } from "vitest";
import { openGitHub } from "./index.ts";

const PULLS = 200;
const POLL_MS = 30_000;
const LATENCY_MS = 25;
const READ_ON_CHANGE = 8;
const GAP_MS = 75;
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** What GitHub documents: reads of a minute (a point each), requests of an hour that are not answered by 304, GraphQL points of an hour. */
const LIMITS = { perMinute: 900, perHour: 5_000, graphqlPerHour: 5_000 };

afterEach(() => vi.unstubAllGlobals());

test(`${PULLS} pull requests that are polled for a day, with one comment a minute, stay inside the limits`, {
  timeout: 120_000,
}, async () => {
  let at = 0;
  const clock = {
    now: () => at,
    sleep: async (ms: number) => {
      at += ms;
    },
  };
  const counts = {
    perMinute: new Map<number, number>(),
    perHour: new Map<number, number>(),
    graphqlPerHour: new Map<number, number>(),
  };
  const count = (what: keyof typeof counts, ms: number) => {
    const slot = Math.floor(at / ms);
    counts[what].set(slot, (counts[what].get(slot) ?? 0) + 1);
  };
  /** The pull request that somebody comments on at a time, and how often that has happened to one. */
  const said = (number: number) => Math.floor((at / MINUTE_MS + PULLS - number) / PULLS);
  vi.stubGlobal("fetch", async (url: string, { headers }: { headers: Record<string, string> }) => {
    at += LATENCY_MS;
    count("perMinute", MINUTE_MS);
    const json = { "content-type": "application/json" };
    if (url.endsWith("/graphql")) {
      count("graphqlPerHour", 60 * MINUTE_MS);
      const reviewThreads = { pageInfo: { hasNextPage: false, endCursor: null }, nodes: [] };
      return new Response(JSON.stringify({ data: { repository: { pullRequest: { reviewThreads } } } }), {
        headers: json,
      });
    }
    const [, number = "0"] = /\/(?:pulls|issues|commits)\/(\d+)/.exec(url) ?? [];
    const etag = `"${url} ${url.includes("/commits/") ? 0 : said(Number(number))}"`;
    if (headers["if-none-match"] === etag) return new Response(null, { status: 304 });
    count("perHour", 60 * MINUTE_MS);
    const body = url.endsWith(`/pulls/${number}`) ? { head: { sha: number } } : [];
    return new Response(JSON.stringify(body), { headers: { ...json, etag } });
  });
  const forge = openGitHub("https://github.com/acme/shop", { token: "t", clock });
  const cursors = new Map<number, string>();
  let heard = 0;
  while (at < DAY_MS) {
    for (let number = 1; number <= PULLS; number++) {
      const { changed, cursor } = await forge.changed(number, cursors.get(number) ?? null);
      cursors.set(number, cursor);
      heard += Number(changed);
      // What is read then, at the same pace: the entry, what was said, the checks, and who may say so.
      for (let n = 0; changed && n < READ_ON_CHANGE; n++) {
        at += GAP_MS;
        count("perMinute", MINUTE_MS);
        count("perHour", 60 * MINUTE_MS);
      }
    }
    at += POLL_MS;
  }
  for (const [name, limit] of Object.entries(LIMITS)) {
    const most = Math.max(...counts[name as keyof typeof counts].values());
    expect([name, most]).toEqual([name, expect.toSatisfy((found: number) => found < limit)]);
  }
  // The first look at each, and each comment.
  expect(heard).toBeGreaterThan(PULLS + DAY_MS / MINUTE_MS - 20);
});
