import type { LoopEvent, Stage } from "@anneal/types";
import type { LogEntry } from "../store.ts";

/** A small step of a loop; its number is kept in `at`. */
export function entry(n: number, stage: Stage = "reviewing"): LogEntry {
  const event: LoopEvent = { type: "nothing-to-commit", at: n };
  return { event, stage, summary: { n } };
}

/** A step with a body of about the given size. */
export function bulky(n: number, bytes: number): LogEntry {
  const event: LoopEvent = { type: "delivery-skipped", at: n, reason: "x".repeat(bytes) };
  return { event, stage: "ended", summary: { n } };
}
