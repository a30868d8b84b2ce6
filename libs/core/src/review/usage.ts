import type { Usage } from "@anneal/types";

/** What several runs used together, as far as it is known. */
export function totalUsage(usages: readonly Usage[]): Usage {
  const total: Usage = {};
  for (const key of ["inputTokens", "cachedInputTokens", "outputTokens", "costUsd"] as const) {
    const known = usages.flatMap((usage) => usage[key] ?? []);
    if (known.length > 0) total[key] = known.reduce((sum, one) => sum + one, 0);
  }
  if (usages.some(({ costEstimated }) => costEstimated === true)) total.costEstimated = true;
  return total;
}
