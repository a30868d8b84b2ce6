import { STREAM_CLOSED, type StreamNote } from "@anneal/types";
import type { WebSocket } from "@fastify/websocket";
import type { FastifyReply } from "fastify";
import type { Sink } from "./stream.ts";

/** Who does not take even the word of farewell is cut off after this long. */
const FAREWELL_MS = 5_000;

export function socketSink(socket: WebSocket): Sink {
  let alive = true;
  const heard = () => {
    alive = true;
  };
  const drain = bell(() => socket.bufferedAmount === 0 || socket.readyState !== socket.OPEN);
  socket.on("pong", heard);
  // What clients say is of no interest, but it shows that they live.
  socket.on("message", heard);
  socket.on("close", drain.ring);
  // A socket that breaks is closed next, and nobody else asks.
  socket.on("error", drain.ring);
  return {
    send: (message) => socket.send(message, { binary: false }, drain.ring),
    note: (note) => socket.send(JSON.stringify(note), drain.ring),
    waiting: () => socket.bufferedAmount,
    drained: drain.rung,
    isAlive() {
      const was = alive;
      alive = false;
      if (socket.readyState === socket.OPEN) socket.ping();
      return was;
    },
    close(code) {
      socket.close(code, STREAM_CLOSED[code]);
      drain.ring();
      setTimeout(() => socket.terminate(), FAREWELL_MS).unref();
    },
    get closed() {
      return socket.readyState !== socket.OPEN;
    },
  };
}

/** Server-sent events: one frame each, whose id is its cursor. What the stream says about itself has names of its own. */
export function responseSink(reply: FastifyReply): Sink {
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)),
    "content-type": "text/event-stream",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  let taken = true;
  const drain = bell(() => raw.writableLength === 0 || raw.destroyed);
  raw.on("drain", () => {
    taken = true;
    drain.ring();
  });
  raw.on("close", drain.ring);
  return {
    send: (message, cursor) => void raw.write(`id: ${cursor}\ndata: ${message}\n\n`),
    note: (note) => void raw.write(`${idOf(note)}event: ${note.type}\ndata: ${JSON.stringify(note.payload)}\n\n`),
    waiting: () => raw.writableLength,
    drained: drain.rung,
    isAlive() {
      const was = taken || raw.writableLength === 0;
      taken = false;
      return was;
    },
    close(code) {
      raw.end(`event: close\ndata: ${STREAM_CLOSED[code]}\n\n`);
      drain.ring();
      setTimeout(() => raw.destroy(), FAREWELL_MS).unref();
    },
    get closed() {
      return raw.destroyed || raw.writableEnded;
    },
  };
}

function idOf({ payload }: StreamNote | { payload: object }): string {
  return "cursor" in payload ? `id: ${payload.cursor}\n` : "";
}

/** Lets those go on who wait for something, each time that it may have come. */
function bell(isSo: () => boolean): { ring(): void; rung(): Promise<void> } {
  const waiters: (() => void)[] = [];
  return {
    ring() {
      if (waiters.length === 0 || !isSo()) return;
      for (const resolve of waiters.splice(0)) resolve();
    },
    rung: () => (isSo() ? Promise.resolve() : new Promise((resolve) => waiters.push(resolve))),
  };
}
