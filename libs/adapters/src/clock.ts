import { setTimeout as delay } from "node:timers/promises";
import type { Clock } from "./ports.ts";

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await delay(ms, undefined, { signal });
  },
};
