import { join } from "node:path";
import { startPart } from "../parts.ts";
import type { Bench } from "../table.ts";

const CLIENTS = 200;

/** What it costs to tell many listeners of many events. */
export function serverEventBenches(dir: string, quick: boolean): Record<string, () => Bench> {
  return { "events of the server": () => events(dir, quick ? 1_000 : 10_000) };
}

function events(dir: string, count: number): Bench {
  const run = (kind: string) => startPart("server-events", join(dir, `events-${kind}`), kind, CLIENTS, count);
  const [baseline, ours] = [run("plain"), run("ours")];
  for (const { count: got } of [baseline, ours])
    if (got !== CLIENTS * count) throw new Error(`${got} deliveries instead of ${CLIENTS * count}`);
  const against = (value: number) => ({ baseline: { name: "plain ws fan-out", value } });
  return {
    title: `${count} events to ${CLIENTS} listeners, and one more that never reads`,
    measures: [
      { measure: "delivery, p99", ours: ours.p99, ...against(baseline.p99), unit: "ms", limit: 2 },
      { measure: "delivery, p50", ours: ours.p50, ...against(baseline.p50), unit: "ms" },
      { measure: "delivery, slowest", ours: ours.worst, ...against(baseline.worst), unit: "ms" },
      { measure: "CPU of the sending thread", ours: ours.cpuMs, ...against(baseline.cpuMs), unit: "ms", limit: 2 },
      { measure: "memory above idle, at most", ours: ours.grewMb, ...against(baseline.grewMb), unit: "MB" },
    ],
    note: [
      "Both send the same bytes from the same log over real sockets; 25 events are appended at once, and the next when all have come.",
      `The plain one buffers without end for the listener that never reads (${baseline.stalled}); ours was ${ours.stalled}.`,
    ].join("\n"),
  };
}
