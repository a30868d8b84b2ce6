import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test, vi } from "vitest";
import { WebSocketServer } from "ws";
import { socketSink } from "./sinks.ts";
import { streamTo } from "./stream.ts";

const BEAT_MS = 20;

/** A listener in a thread of its own, which counts the pings that it has answered. */
const LISTENER = `
  const { workerData } = require("node:worker_threads");
  const { WebSocket } = require(workerData.ws);
  new WebSocket(workerData.address).on("ping", () => {
    Atomics.add(workerData.answered, 0, 1);
    Atomics.notify(workerData.answered, 0);
  });
`;

test("a server that slept through beats reads the answers before it cuts anybody off", async () => {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const answered = new Int32Array(new SharedArrayBuffer(4));
  const ws = new URL(import.meta.resolve("ws")).pathname.replace(/wrapper\.mjs$/, "index.js");
  const workerData = { address: `ws://127.0.0.1:${port}`, answered, ws };
  const listener = new Worker(LISTENER, { eval: true, workerData });
  const [socket] = await once(server, "connection");
  const sink = socketSink(socket);
  const asked = Promise.withResolvers<void>();
  let pings = 0;
  /** Until the listener has answered, and the next beat is due. */
  const sleep = () => {
    for (let have = Atomics.load(answered, 0); have < pings; have = Atomics.load(answered, 0))
      Atomics.wait(answered, 0, have);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2 * BEAT_MS);
  };
  const isAlive = () => {
    pings += 1;
    if (pings === 4) asked.resolve();
    else setImmediate(sleep);
    return sink.isAlive();
  };
  const onTooSlow = vi.fn(asked.resolve);
  const options = { beatMs: BEAT_MS, isAllowed: () => true, onError: vi.fn(), onTooSlow };
  const stop = streamTo({ ...sink, isAlive }, { hubs: new Map(), since: {} }, options);
  await asked.promise;
  expect(onTooSlow).not.toHaveBeenCalled();
  stop();
  await listener.terminate();
  server.close();
});
