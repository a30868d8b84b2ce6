import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { systemClock } from "@anneal/system/clock";
import { historyOf } from "../../libs/engine/src/history/loop-history.ts";
import { Runtime } from "../../libs/engine/src/project/runtime.ts";

const SETTLE_MS = 2_000;

/** Owns a project and does nothing for a while: the memory in MB, and the CPU in percent of one core. */
export async function idleOwner([root = "", windowMs = "0"]: string[]) {
  const runtime = await open(root);
  await delay(SETTLE_MS);
  const before = process.cpuUsage();
  const began = performance.now();
  await delay(Number(windowMs));
  const { user, system } = process.cpuUsage(before);
  const percent = (user + system) / 10 / (performance.now() - began);
  const memory = { residentMb: memoryMb("VmRSS"), peakMb: memoryMb("VmHWM") };
  await runtime.close();
  return { percent, ...memory };
}

/** Takes over a project whose owner was killed. Times in ms: until it is owned, and until all open loops are replayed. */
export async function restart([root = ""]: string[]) {
  const began = performance.now();
  const runtime = await open(root);
  const opened = performance.now();
  const rows = runtime.store.loops({ open: true });
  const states = rows.map((row) => historyOf(runtime.store, row).state);
  const replayed = performance.now();
  await runtime.close();
  return { openMs: opened - began, replayMs: replayed - opened, loops: states.length };
}

async function open(root: string): Promise<Runtime> {
  const onTrouble = (item: string, message: string) => process.stderr.write(`${item}: ${message}\n`);
  const runtime = await Runtime.open({ root, clock: systemClock, onTrouble });
  if (runtime === null) throw new Error(`somebody else owns ${root}`);
  return runtime;
}

function memoryMb(name: "VmRSS" | "VmHWM"): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, "m").exec(readFileSync("/proc/self/status", "utf8"));
  return Number(found?.[1]) / 1024;
}
