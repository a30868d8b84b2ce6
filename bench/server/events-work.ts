import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { connect } from "node:net";
import { Worker } from "node:worker_threads";
import { POLICIES } from "@anneal/core";
import { systemClock } from "@anneal/engine";
import { Follower, openProject, type ProjectStore } from "@anneal/engine/project";
import type { LoopEvent } from "@anneal/types";
import { type WebSocket, WebSocketServer } from "ws";
import { frameBytes, framesOf } from "../../apps/server/src/events/frames.ts";
import { hub } from "../../apps/server/src/events/hub.ts";
import { socketSink } from "../../apps/server/src/events/sinks.ts";
import { streamTo } from "../../apps/server/src/events/stream.ts";

export interface Delivered {
  p50: number;
  p99: number;
  worst: number;
  cpuMs: number;
  /** What the process grew by at most, over what it was with all listeners connected. */
  grewMb: number;
  count: number;
  /** Whether the listener that never reads was cut off. */
  stalled: "cut off" | "kept";
}

const PROJECT = "bench-1";
const LOOP = "f1~1";
/** Appended together, as a busy moment of several loops would. */
const AT_ONCE = 25;
const BEAT_MS = 1_000;

type Serve = (socket: WebSocket) => void;
type Tell = (events: number[]) => void;

interface Kind {
  serve: Serve;
  tell: Tell;
  /** How many listeners were cut off. */
  cutOff(): number;
}

/** Delivers every event to every listener, over our stream or by a plain loop over sockets; one more listener never reads. */
export async function deliver([root = "", kind = "", clients = "0", events = "0"]: string[]): Promise<Delivered> {
  mkdirSync(root, { recursive: true });
  const { spawnSync } = await import("node:child_process");
  spawnSync("git", ["init", "--quiet", root]);
  using project = await openProject(root, systemClock);
  const { store } = project;
  const append = appender(store);
  append([1]);
  return await measured((kind === "ours" ? ours : plain)(store, append), Number(clients), Number(events));
}

function ours(store: ProjectStore, append: (events: number[]) => void): Kind {
  const stream = hub(PROJECT, store);
  let slow = 0;
  return {
    cutOff: () => slow,
    serve(socket) {
      const wanted = { hubs: new Map([[PROJECT, stream]]), since: {} };
      const stop = streamTo(socketSink(socket), wanted, {
        beatMs: BEAT_MS,
        isAllowed: () => true,
        onError: (error) => {
          throw error;
        },
        onTooSlow: () => {
          slow += 1;
        },
      });
      socket.on("close", stop);
    },
    tell(events) {
      append(events);
      stream.wake();
    },
  };
}

/** The least that can be done: the same bytes to every socket, whether it takes them or not. */
function plain(store: ProjectStore, append: (events: number[]) => void): Kind {
  const sockets = new Set<WebSocket>();
  const live = new Follower(store);
  return {
    cutOff: () => 0,
    serve: (socket) => void sockets.add(socket),
    tell(events) {
      append(events);
      for (const notification of live.news()) {
        for (const frame of framesOf(PROJECT, notification)) {
          const text = String(frameBytes(frame, `${PROJECT}.${frame.seq}.${frame.part}`));
          for (const socket of sockets) socket.send(text);
        }
      }
    },
  };
}

async function measured({ serve, tell, cutOff }: Kind, clients: number, events: number): Promise<Delivered> {
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  server.on("connection", serve);
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  const sentAt = new Float64Array(new SharedArrayBuffer(8 * (events + 2)));
  const counted = new Int32Array(new SharedArrayBuffer(4));
  const stalled = await stall(port);
  const listeners = new Worker(new URL("./listeners.ts", import.meta.url), {
    workerData: { address: `ws://127.0.0.1:${port}`, listeners: clients, sentAt, counted },
  });
  await once(listeners, "message");
  const before = process.memoryUsage().rss;
  const usedBefore = process.threadCpuUsage();
  let most = before;
  for (let seq = 2; seq < events + 2; seq += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, events + 2 - seq) }, (_, n) => seq + n);
    const now = performance.timeOrigin + performance.now();
    for (const one of batch) sentAt[one] = now;
    tell(batch);
    await reached(counted, (seq - 2 + batch.length) * clients);
    most = Math.max(most, process.memoryUsage().rss);
  }
  const used = process.threadCpuUsage(usedBefore);
  listeners.postMessage("end");
  const [times] = await once(listeners, "message");
  stalled.destroy();
  for (const socket of server.clients) socket.terminate();
  server.close();
  return {
    ...times,
    cpuMs: (used.user + used.system) / 1_000,
    grewMb: (most - before) / 1_048_576,
    stalled: cutOff() === 1 ? "cut off" : "kept",
  };
}

async function reached(counted: Int32Array, wanted: number): Promise<void> {
  for (let have = Atomics.load(counted, 0); have < wanted; have = Atomics.load(counted, 0)) {
    const { async: later, value } = Atomics.waitAsync(counted, 0, have);
    if (later) await value;
  }
}

/** A listener that says hello, and never reads a word. */
async function stall(port: number) {
  const socket = connect(port, "127.0.0.1");
  const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==";
  socket.write(`GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n\r\n`);
  await once(socket, "readable");
  socket.on("error", () => {});
  return socket;
}

function appender(store: ProjectStore): (events: number[]) => void {
  const summary = { title: "A feature with a title of a usual length" } as never;
  const eventAt = (seq: number): LoopEvent =>
    seq === 1
      ? {
          type: "loop-started",
          at: 1,
          loopId: LOOP,
          item: { kind: "feature", id: "f1" },
          policy: POLICIES.gate,
          because: "the default of features",
          agents: { implementer: "scripted", reviewer: "scripted", fixer: "scripted" },
          promptsHash: "0",
          base: "0".repeat(40),
          head: null,
          needsApproval: false,
          steps: [],
        }
      : { type: "intended", at: seq, stage: "implementing", attempt: seq };
  return (events) => {
    const entries = events.map((seq) => ({ event: eventAt(seq), stage: "ended" as const, summary }));
    store.append(LOOP, entries, { of: { kind: "feature", item: "f1" } });
  };
}
