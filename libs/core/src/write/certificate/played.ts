import type { LoopEvent } from "@anneal/types";

const PARTS = { implemented: "implementer", reviewed: "reviewer", fixed: "fixer" } as const;

/** Who plays which part, by name: whoever has really played it, in that order, and before that whom the loop is bound to. */
export function playedParts(
  bound: Readonly<Record<string, string>>,
  events: readonly LoopEvent[],
): Record<string, string> {
  const played = new Map<string, Set<string>>();
  for (const event of events) {
    if (event.type !== "implemented" && event.type !== "reviewed" && event.type !== "fixed") continue;
    const part = PARTS[event.type];
    const name = event.by.named ?? bound[part];
    if (name !== undefined) played.set(part, (played.get(part) ?? new Set()).add(name));
  }
  const names = [...played].map(([part, all]) => [part, [...all].join(", ")]);
  return { ...bound, ...Object.fromEntries(names) };
}
