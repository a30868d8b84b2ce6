import type { LoopEvent, Usage } from "@anneal/types";

/** More than any attempt uses. Whoever claims more is wrong, and what it used is unknown. */
const MOST = { inputTokens: 1e12, cachedInputTokens: 1e12, outputTokens: 1e12, costUsd: 1e6 } as const;
const KEYS = Object.keys(MOST) as (keyof typeof MOST)[];

/** What an agent says that it used, as far as it can be so. */
export function believable(claims: { readonly [K in keyof Usage]?: unknown }): Usage {
  const usage: Usage = {};
  for (const key of KEYS) {
    const claim = claims[key];
    if (typeof claim !== "number" || !(claim >= 0 && claim <= MOST[key])) continue;
    if (key === "costUsd" || Number.isInteger(claim)) usage[key] = claim;
  }
  if (claims.costEstimated === true && usage.costUsd !== undefined) usage.costEstimated = true;
  return usage;
}

/** What several runs used together, as far as it is known; never more than can be believed of one. */
export function totalUsage(usages: readonly Usage[]): Usage {
  const total: Usage = {};
  const believed = usages.map(believable);
  for (const key of KEYS) {
    const known = believed.flatMap((usage) => usage[key] ?? []);
    if (known.length > 0)
      total[key] = atMost(
        key,
        known.reduce((sum, one) => sum + one, 0),
      );
  }
  if (believed.some(({ costEstimated }) => costEstimated === true)) total.costEstimated = true;
  return total;
}

export function atMost(key: keyof typeof MOST, value: number): number {
  return Math.min(value, MOST[key]);
}

export interface Spent {
  tokens: number;
  costUsd: number;
}

/** Adds what an event used. Logs from before claims were doubted hold any number: a sum stays one that JSON can hold. */
export function withUsage(spent: Spent, event: LoopEvent): Spent {
  if (!("usage" in event)) return spent;
  const { costUsd = 0, inputTokens = 0, outputTokens = 0 } = event.usage;
  return addSpent(spent, { tokens: inputTokens + outputTokens, costUsd });
}

export function addSpent(a: Spent, b: Spent): Spent {
  return {
    tokens: Math.min(a.tokens + b.tokens, Number.MAX_SAFE_INTEGER),
    costUsd: Math.min(a.costUsd + b.costUsd, Number.MAX_VALUE),
  };
}
