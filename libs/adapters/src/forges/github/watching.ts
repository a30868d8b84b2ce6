import { createHash } from "node:crypto";
import type { Watching } from "../contract/port.ts";
import type { GithubClient, Query } from "./client/client.ts";
import { fieldsOf, textOf } from "./client/fields.ts";
import { threadsOf } from "./threads.ts";

/** What GitHub said at a look, as stamps of its pages. It is handed around as text, and is good for any process. */
interface Cursor {
  head: string;
  /** By path. */
  pages: Record<string, string>;
  threads: string;
}

/** A pull request's own entry shows what is added to it. What is edited or resolved it may not show: that is looked at this often. */
export const WHOLE_LOOK_MS = 300_000;

/** When each pull request was last looked at as a whole. */
const wholeLooks = new WeakMap<GithubClient, Map<number, number>>();

export function watching(client: GithubClient): Watching {
  const looks = wholeLooks.get(client) ?? new Map<number, number>();
  wholeLooks.set(client, looks);
  return {
    async changed(number, since) {
      const before = cursorIn(since);
      const now = client.now();
      const isDue = now - (looks.get(number) ?? Number.NEGATIVE_INFINITY) >= WHOLE_LOOK_MS;
      const after = await lookAt(client, number, before, isDue ? "whole" : "short");
      if (isDue || before === null) looks.set(number, now);
      const cursor = JSON.stringify(after);
      return { changed: cursor !== since, cursor };
    },
  };
}

async function lookAt(
  client: GithubClient,
  number: number,
  before: Cursor | null,
  how: "whole" | "short",
): Promise<Cursor> {
  const pull = await page(client, client.path("pulls", number), before);
  const head = pull.body === null ? (before?.head ?? "") : textOf(fieldsOf(pull.body).head, "sha");
  const checks = [client.path("commits", head, "check-runs"), client.path("commits", head, "status")];
  const talk = [
    client.path("pulls", number, "comments"),
    client.path("issues", number, "comments"),
    client.path("pulls", number, "reviews"),
  ];
  const stamps = { ...pull.stamps };
  for (const path of checks) Object.assign(stamps, (await page(client, path, before)).stamps);
  // Where the entry is as it was, so are the lists, for a while.
  if (how === "short" && before !== null && pull.body === null) {
    for (const path of talk) Object.assign(stamps, kept(before, path));
    return { head, pages: stamps, threads: before.threads };
  }
  for (const path of talk) Object.assign(stamps, await pages(client, path, before));
  return { head, pages: stamps, threads: await threadStamp(client, number) };
}

interface Page {
  stamps: Record<string, string>;
  /** Null where it is as it was. */
  body: unknown;
  hasNext: boolean;
}

async function page(client: GithubClient, path: string, before: Cursor | null, query: Query = {}): Promise<Page> {
  const name = Object.keys(query).length === 0 ? path : `${path}?${query.page}`;
  const earlier = before?.pages[name] ?? null;
  const look = await client.look(path, query, earlier);
  if (look.same)
    return {
      stamps: { [name]: earlier ?? "" },
      body: null,
      hasNext: before?.pages[`${path}?${Number(query.page) + 1}`] !== undefined,
    };
  return { stamps: { [name]: look.stamp }, body: look.body, hasNext: look.hasNext };
}

async function pages(client: GithubClient, path: string, before: Cursor | null): Promise<Record<string, string>> {
  const stamps: Record<string, string> = {};
  for (let number = 1; ; number++) {
    const one = await page(client, path, before, { per_page: 100, page: number });
    Object.assign(stamps, one.stamps);
    if (!one.hasNext) return stamps;
  }
}

function kept(before: Cursor, path: string): Record<string, string> {
  return Object.fromEntries(Object.entries(before.pages).filter(([name]) => name.startsWith(`${path}?`)));
}

async function threadStamp(client: GithubClient, number: number): Promise<string> {
  const threads = [...(await threadsOf(client, number))];
  return createHash("sha256").update(JSON.stringify(threads)).digest("hex").slice(0, 16);
}

function cursorIn(text: string | null): Cursor | null {
  if (text === null) return null;
  try {
    const { head, pages: found, threads } = fieldsOf(JSON.parse(text));
    const isCursor =
      typeof head === "string" && typeof threads === "string" && typeof found === "object" && found !== null;
    return isCursor ? { head, threads, pages: found as Record<string, string> } : null;
  } catch {
    return null;
  }
}
