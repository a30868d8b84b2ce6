import { mkdirSync } from "node:fs";
import type { LoopEvent } from "@anneal/types";
import { analyticsKeeper } from "../../libs/engine/src/analytics/keeper.ts";
import type { LoopSummary } from "../../libs/engine/src/history/summary.ts";
import { openStore } from "../../libs/engine/src/log/index.ts";
import type { Step } from "../long-loop.ts";
import { openFeature } from "../loops/update-work.ts";

/** The file is written every five seconds at most, in which a disk takes about so many events one by one. */
const BLOCK = 1_000;

export interface PerEvent {
  cpuUs: number;
  us: number;
}

/**
 * Events into a log, and the same events counted. Each is measured by itself: the disk takes an event in a time that differs
 * more from one to the next than the counting takes.
 */
export async function countedAppends([root = "", blocks = "0"]: string[]) {
  mkdirSync(root, { recursive: true });
  const feature = openFeature(root, "total");
  const beside = openStore<LoopEvent, LoopSummary>({ gitDir: root }, { clock: { now: () => 0 } });
  const troubles: string[] = [];
  const keeper = analyticsKeeper({ root, store: beside, onTrouble: (message) => void troubles.push(message) });
  const append: PerEvent[] = [];
  const counting: PerEvent[] = [];
  for (let block = 0; block <= Number(blocks); block += 1) {
    const steps = Array.from({ length: BLOCK }, () => feature.steps.next().value);
    const first = feature.appended() + 1;
    const appended = await perEvent(async () => {
      for (const step of steps) feature.append(step);
    });
    const heard = await perEvent(async () => {
      for (const [at, step] of steps.entries()) keeper.received(heardOf(step, first + at));
    });
    // Loops do not wait for this.
    const written = await perEvent(() => keeper.close());
    // The first one warms up.
    if (block === 0) continue;
    append.push(appended);
    counting.push({ us: heard.us, cpuUs: heard.cpuUs + written.cpuUs });
  }
  feature.close();
  beside.close();
  if (troubles.length > 0) throw new Error(troubles[0]);
  return { append, counting, block: BLOCK };
}

function heardOf({ event, before, after }: Step, seq: number) {
  return { event, before, after, seq };
}

async function perEvent(work: () => Promise<void>): Promise<PerEvent> {
  const cpu = process.cpuUsage();
  const began = performance.now();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  return { cpuUs: (user + system) / BLOCK, us: ((performance.now() - began) * 1_000) / BLOCK };
}
