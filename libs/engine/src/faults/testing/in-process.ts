import { systemClock } from "@anneal/system/clock";
import { type RunArgs, run } from "../../project/run.ts";
import type { Load } from "./load.ts";

/** Stands still, later than any start of a process. */
export const heldClock = { now: () => 4_000_000_000_000, sleep: systemClock.sleep };

/** Runs everything in this process. `onEvent` is called in the middle of it, right after an event is safe. */
export async function runHere({ dir }: Pick<Load, "dir">, args: Partial<RunArgs> = {}) {
  const troubles: string[] = [];
  const result = await run({
    root: dir,
    clock: heldClock,
    cast: {},
    limit: 3,
    by: "ada",
    signal: new AbortController().signal,
    onEvent: () => {},
    onTrouble: (item, message) => troubles.push(`${item}: ${message}`),
    onOtherOwner: () => {},
    ...args,
  });
  const settled = [...result.settled].map(([id, state]) => `${id} ${state.stage}`).sort();
  const broken = [...result.broken].map(([id, { message }]) => `${id}: ${message}`).sort();
  return { settled, broken, troubles: troubles.sort() };
}
