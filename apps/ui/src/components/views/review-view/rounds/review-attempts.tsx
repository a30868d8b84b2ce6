import type { ApiAttempt } from "@anneal/types";
import { Badge } from "../../../ui/badge.tsx";
import { money } from "../../../ui/numbers.ts";

/** Reviews that came to nothing: they say nothing about the change, and cost all the same. */
export function ReviewAttempts({ attempts }: { attempts: readonly ApiAttempt[] }) {
  return (
    <ul aria-label="Failed reviews" className="flex flex-col gap-1 text-sm">
      {attempts.map(({ at, reason, usage }) => (
        <li key={at} className="flex flex-wrap items-baseline gap-2">
          <Badge tone="warn">no verdict</Badge>
          <span className="min-w-0 flex-1 wrap-anywhere">{reason}</span>
          {usage.costUsd === undefined ? null : <span className="text-xs text-muted">{money(usage.costUsd)}</span>}
        </li>
      ))}
    </ul>
  );
}

/** What the reviews before a round cost in vain, as the line of the round tells it. */
export function attemptsText(attempts: readonly ApiAttempt[]): string {
  if (attempts.length === 0) return "";
  const cost = attempts.reduce((sum, { usage }) => sum + (usage.costUsd ?? 0), 0);
  return `${attempts.length} broke before${cost === 0 ? "" : ` (${money(cost)})`}`;
}
