// The listeners of the bench, in a thread of their own: they count, take the time, and read nothing else.
import { parentPort, workerData } from "node:worker_threads";
import { WebSocket } from "ws";

const { address, listeners, sentAt, counted } = workerData as {
  address: string;
  listeners: number;
  /** When each event was sent, by its number. */
  sentAt: Float64Array;
  /** Deliveries so far. */
  counted: Int32Array;
};

const took: number[] = [];
let isOver = false;
const sockets = Array.from({ length: listeners }, () => new WebSocket(address));
for (const socket of sockets) {
  socket.on("message", (data: Buffer) => {
    const seq = seqIn(data);
    if (seq === null) return;
    took.push(performance.timeOrigin + performance.now() - (sentAt[seq] ?? 0));
    Atomics.add(counted, 0, 1);
    Atomics.notify(counted, 0);
  });
  socket.on("close", (code) => {
    if (!isOver) throw new Error(`a listener that reads was cut off with ${code}`);
  });
}
await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once("open", resolve))));
parentPort?.postMessage("open");
parentPort?.on("message", () => {
  isOver = true;
  took.sort((a, b) => a - b);
  const at = (part: number) => took[Math.floor((took.length - 1) * part)] ?? 0;
  parentPort?.postMessage({ p50: at(0.5), p99: at(0.99), worst: at(1), count: took.length });
  for (const socket of sockets) socket.terminate();
  parentPort?.close();
});

/** A frame begins with its number; what a stream says about itself does not. */
function seqIn(data: Buffer): number | null {
  const text = data.toString("latin1", 0, 24);
  const found = /^\{"seq":(\d+),/.exec(text)?.[1];
  return found === undefined ? null : Number(found);
}
