import type { AgentRun } from "../../ports.ts";

/** What a failure means for the next try. */
export type Trouble = Pick<AgentRun, "rateLimited" | "lasting">;

/** What went wrong, with what to do about it after it: two sentences, however the first one ended. */
export function advised(words: string, advice: string): string {
  return `${words.replace(/[\s.]+$/, "")}. ${advice}`;
}

/** What the status of a provider's answer means for the next try; most 4xx may well be about this one request. */
export function troubleOfStatus(status: number, retryAfterMs: number | null = null): Trouble {
  if (LASTING.includes(status)) return { lasting: true };
  if (status === 429 || status === 408 || status >= 500) return { rateLimited: { retryAfterMs } };
  return {};
}

/** No key, no money, no right, no such model. */
const LASTING = [401, 402, 403, 404];

/** When to come back, where a message says so in words: "try again in 1 minute 7.5s". */
export function retryAfterIn(message: string): number | null {
  const said =
    /\bin((?:[\s,]*(?:and )?\d+(?:\.\d+)?\s*(?:ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)\b)+)/i;
  const parts = said.exec(message)?.[1]?.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/gi);
  if (parts === undefined) return null;
  return [...parts].reduce((sum, [, count, unit = ""]) => sum + Math.ceil(Number(count) * msOf(unit.toLowerCase())), 0);
}

function msOf(unit: string): number {
  if (unit === "ms" || unit.startsWith("milli")) return 1;
  return { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit.charAt(0)] ?? 0;
}
