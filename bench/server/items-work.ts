import { spawn } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { serve } from "../../apps/server/src/index.ts";
import { median } from "../median.ts";
import type { Asking } from "./asking.ts";
import { boardOf, DESCRIPTION, writeBare } from "./items-project.ts";
import { minimalServer } from "./minimal-server.ts";

const PAGE = 1_000;
const TURNS = 4;
/** Of what waits for the disk. */
const WRITES_PER_TURN = 10;
const SILENCE_MS = 1_100;

/** Of one request: the time that the client waited, the part of it from its arrival to its answer, and the CPU of the server. */
interface Cost {
  ms: number;
  insideMs: number;
  cpuMs: number;
}

/** What a served board of so many features costs, and the same without any of our code. */
export async function serveItems([dir = "", count = "0", runs = "0", writes = "0"]: string[]) {
  const root = boardOf(join(dir, `board-${count}`), Number(count));
  const options = { port: 0, projects: [root], dataDir: join(dir, `data-${count}`), requestsPerMinute: 10 ** 9 };
  const server = await serve({ ...options, onLine: () => {} });
  const headers = { "x-api-key": server.token, "content-type": "application/json" };
  const listed = (await (await fetch(`${server.url}/api/projects`, { headers })).json()) as {
    projects: { id: string }[];
  };
  const at = `${server.url}/api/projects/${listed.projects[0]?.id}`;
  const pages = await allPages(`${at}/items?limit=${PAGE}`, headers);
  const bare = join(root, ".automaker/bare");
  mkdirSync(bare);
  const bytes = pages.map(({ text }) => Buffer.from(text));
  const minimal = await minimalServer(bytes, (text) => writeBare(join(bare, "feature.json"), text));
  const ours = { urls: pages.map(({ url }) => url), headers };
  const plain = { urls: pages.map((_, page) => `${minimal.url}/pages/${page}`), headers: {} };
  try {
    const list = await inTurns({ ours, plain }, { turns: TURNS, times: Number(runs) });
    const seldom = { ours: { ...ours, pauseMs: SILENCE_MS }, plain: { ...plain, pauseMs: SILENCE_MS } };
    const rare = await inTurns(seldom, { turns: TURNS, times: 3 });
    const written =
      Number(writes) === 0 ? null : await writing({ at, headers, root, bare, plain: minimal.url }, Number(writes));
    return { pages: pages.length, bytes: Buffer.concat(bytes).length, list, rare, written };
  } finally {
    await server.close();
    await minimal.close();
  }
}

type Work = Omit<Asking, "times"> | (() => void);

/**
 * Each work several times, in many short turns: a disk that is shared is several times slower at one moment than at the next.
 * The first quarter of the turns warms up, and of the others the middle one counts.
 */
async function inTurns<Name extends string>(
  works: Record<Name, Work>,
  { turns, times }: { turns: number; times: number },
): Promise<Record<Name, Cost>> {
  using clients = new DisposableStack();
  const names = Object.keys(works) as Name[];
  const takers = names.map((name) => {
    const work = works[name];
    return { name, take: typeof work === "function" ? () => costOf(work, times) : askBy({ ...work, times }, clients) };
  });
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, Cost[]>;
  for (let turn = 0; turn < turns; turn += 1) for (const { name, take } of takers) taken[name].push(await take());
  const middle = (name: Name) => {
    const counted = taken[name].slice(Math.ceil(turns / 4));
    const of = (part: keyof Cost) => median(counted.map((cost) => cost[part]));
    return { ms: of("ms"), insideMs: of("insideMs"), cpuMs: of("cpuMs") };
  };
  return Object.fromEntries(names.map((name) => [name, middle(name)])) as Record<Name, Cost>;
}

async function costOf(work: () => void, times: number): Promise<Cost> {
  const before = process.cpuUsage();
  const began = performance.now();
  for (let run = 0; run < times; run += 1) work();
  const ms = (performance.now() - began) / times;
  return { ms, insideMs: ms, cpuMs: cpuSince(before) / times };
}

function askBy(asking: Asking, clients: DisposableStack): () => Promise<Cost> {
  const script = join(import.meta.dirname, "asking.ts");
  const child = spawn(process.execPath, [script, JSON.stringify(asking)], { stdio: ["pipe", "pipe", "inherit"] });
  clients.defer(() => child.stdin.end());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async () => {
    const before = process.cpuUsage();
    const inside = stopwatch.begin();
    child.stdin.write("again\n");
    const { done, value } = await lines.next();
    if (done) throw new Error("the client ended");
    const cpuMs = cpuSince(before) / asking.times / asking.urls.length;
    return { ms: Number(value), insideMs: inside(), cpuMs };
  };
}

/** What the servers of this process take from the arrival of a request to its answer. */
const stopwatch = (() => {
  const arrivals = new WeakMap<object, number>();
  let [total, count] = [0, 0];
  subscribe("http.server.request.start", (lines) => {
    arrivals.set((lines as { request: object }).request, performance.now());
  });
  subscribe("http.server.response.finish", (lines) => {
    total += performance.now() - (arrivals.get((lines as { request: object }).request) ?? Number.NaN);
    count += 1;
  });
  return {
    /** Gives what tells the mean from now on. */
    begin(): () => number {
      [total, count] = [0, 0];
      return () => total / count;
    },
  };
})();

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

interface Place {
  at: string;
  headers: Record<string, string>;
  root: string;
  bare: string;
  /** Where the minimal server is. */
  plain: string;
}

/** Creating and changing a feature, against a bare write of the same file, alone and behind a minimal handler. */
async function writing({ at, headers, root, bare, plain }: Place, times: number) {
  const fresh = JSON.stringify({ title: "Feature {n}", description: DESCRIPTION });
  const made = await fetch(`${at}/features`, { method: "POST", headers, body: fresh });
  const { id } = (await made.json()) as { id: string };
  const text = readFileSync(join(root, ".automaker/features", id, "feature.json"), "utf8");
  const known = { ...headers, "if-match": made.headers.get("etag") ?? "" };
  const title = '{"title": "Changed {n}"}';
  return await inTurns(
    {
      create: { urls: [`${at}/features`], headers, method: "POST", body: fresh },
      update: { urls: [`${at}/features/${id}`], headers: known, method: "PATCH", body: title },
      handler: { urls: [`${plain}/write`], headers: { "content-type": "text/plain" }, method: "POST", body: text },
      bare: () => writeBare(join(bare, "feature.json"), text),
    },
    { turns: (TURNS * times) / WRITES_PER_TURN, times: WRITES_PER_TURN },
  );
}

async function allPages(first: string, headers: Record<string, string>): Promise<{ url: string; text: string }[]> {
  const pages: { url: string; text: string }[] = [];
  for (let url: string | null = first; url !== null; ) {
    const text: string = await (await fetch(url, { headers })).text();
    pages.push({ url, text });
    const { next } = JSON.parse(text) as { next: string | null };
    url = next === null ? null : `${first}&after=${next}`;
  }
  return pages;
}
