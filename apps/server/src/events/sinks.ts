import { once } from "node:events";
import type { WebSocket } from "@fastify/websocket";
import type { FastifyReply } from "fastify";
import type { CloseReason, Sink } from "./stream.ts";

const BEAT_MS = 15_000;

/** Close codes of our own, and what they mean to whoever reads them. */
const CODES: Record<CloseReason, readonly [number, string]> = {
  "too-slow": [4_008, "too slow: come back with your cursor"],
  "shutting-down": [1_001, "the server is shutting down: come back with your cursor"],
  unauthorised: [4_401, "not logged in"],
};

export function socketSink(socket: WebSocket): Sink {
  let alive = true;
  const beat = setInterval(() => {
    if (!alive) return socket.terminate();
    alive = false;
    socket.ping();
  }, BEAT_MS);
  beat.unref();
  socket.on("pong", () => {
    alive = true;
  });
  socket.on("close", () => clearInterval(beat));
  // What clients say is of no interest, but it shows that they live.
  socket.on("message", () => {
    alive = true;
  });
  return {
    send: (text) => socket.send(text),
    waiting: () => socket.bufferedAmount,
    drained: () => drainedSocket(socket),
    close: (reason) => socket.close(...CODES[reason]),
    get closed() {
      return socket.readyState !== socket.OPEN;
    },
  };
}

const LOOK_MS = 5;

/** A socket has no event for an empty buffer. */
async function drainedSocket(socket: WebSocket): Promise<void> {
  while (socket.readyState === socket.OPEN && socket.bufferedAmount > 0) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Server-sent events: one frame each, whose id is its cursor. */
export function responseSink(reply: FastifyReply): Sink {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)),
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  raw.write(": the stream begins\n\n");
  const beat = setInterval(() => raw.write(": still here\n\n"), BEAT_MS);
  beat.unref();
  raw.on("close", () => clearInterval(beat));
  return {
    send: (text) => {
      const { cursor } = JSON.parse(text) as { cursor: string };
      raw.write(`id: ${cursor}\ndata: ${text}\n\n`);
    },
    waiting: () => raw.writableLength,
    drained: async () => {
      if (raw.writableNeedDrain && !raw.destroyed) await Promise.race([once(raw, "drain"), once(raw, "close")]);
    },
    close: (reason) => {
      raw.end(`event: close\ndata: ${CODES[reason][1]}\n\n`);
    },
    get closed() {
      return raw.destroyed || raw.writableEnded;
    },
  };
}
