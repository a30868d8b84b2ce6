// A client in a process of its own, so that what it costs is not taken for the server's. One connection, one request after
// the other; for every line that it gets it asks so many times, and prints the time that a request took.

import { Agent, type IncomingHttpHeaders, request } from "node:http";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";

export interface Asking {
  urls: string[];
  headers: Record<string, string>;
  times: number;
  method?: "GET" | "POST" | "PATCH";
  /** `{n}` is the number of the request. */
  body?: string;
  pauseMs?: number;
}

const { urls, headers, times, method = "GET", body, pauseMs = 0 } = JSON.parse(process.argv[2] ?? "") as Asking;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
let etag = headers["if-match"];
let asked = 0;
for await (const _ of createInterface({ input: process.stdin })) {
  let ms = 0;
  for (let run = 0; run < times; run += 1) {
    if (pauseMs > 0) await pause(pauseMs);
    asked += 1;
    const began = performance.now();
    for (const url of urls) etag = (await ask(url, body?.replaceAll("{n}", `${process.pid}-${asked}`))).etag;
    ms += performance.now() - began;
  }
  process.stdout.write(`${ms / times / urls.length}\n`);
}
agent.destroy();

function ask(url: string, text: string | undefined): Promise<IncomingHttpHeaders> {
  // A change names the version that the one before it has left.
  const version = method === "PATCH" && etag !== undefined ? { "if-match": etag } : {};
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers: { ...headers, ...version } }, (response) => {
      if ((response.statusCode ?? 0) >= 300) reject(new Error(`${url}: ${response.statusCode}`));
      response.on("data", () => {}).on("end", () => resolve(response.headers));
    });
    sent.on("error", reject).end(text);
  });
}
