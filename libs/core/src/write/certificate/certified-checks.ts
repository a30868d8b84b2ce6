import type { BoundChecks, LoopEvent, LoopState } from "@anneal/types";

/** What the work is checked by, besides reviews. */
export interface CertifiedChecks {
  /** The project's own; null where none is configured. Units have commands of their own besides. */
  testCommand: BoundChecks["testCommand"];
  /** Of the last run. `not-run`: there was no commit of ours to check, or no run yet. */
  result: "passed" | "failed" | "not-configured" | "not-run";
}

/** Silence would read as if checks had passed: where none ran, that is said. */
export function certifiedChecks({ checks }: LoopState, events: readonly LoopEvent[]): CertifiedChecks {
  const results = events.flatMap((event) => {
    if (event.type === "validated") return [event.result];
    return event.type === "merged" && event.checks !== undefined ? [event.checks.result] : [];
  });
  const without = checks?.testCommand === null ? "not-configured" : "not-run";
  return { testCommand: checks?.testCommand ?? null, result: results.at(-1) ?? without };
}
