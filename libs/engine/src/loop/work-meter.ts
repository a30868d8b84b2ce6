import type { LoopEvent } from "@anneal/types";

/** A log of many loops, to be read on from where one has been. */
export interface ManyLoops {
  allEvents(sinceSeq: number, limit: number): readonly { seq: number; loop: string; event: LoopEvent }[];
}

interface Span {
  from: number;
  to: number;
}

const PAGE = 500;

/**
 * Measures how long loops have worked since a moment, from their log: each piece of work counts from its start to what
 * came of it, and work that a kill cut off not at all. Reads the whole log once and then only what is new.
 */
export function workMeter(log: ManyLoops): (sinceMs: number) => number {
  const begun = new Map<string, number>();
  let spans: Span[] = [];
  let seq = 0;
  let sinceBefore = Number.NEGATIVE_INFINITY;

  function take(loop: string, event: LoopEvent, sinceMs: number): void {
    const from = begun.get(loop);
    begun.delete(loop);
    if (event.type === "intended") {
      if (event.stage !== "awaiting-feedback") begun.set(loop, event.at);
    } else if (from !== undefined && event.at > Math.max(from, sinceMs)) spans.push({ from, to: event.at });
  }

  return (sinceMs) => {
    // Spans of earlier days were dropped: a moment before them needs the log from its beginning.
    if (sinceMs < sinceBefore) {
      begun.clear();
      spans = [];
      seq = 0;
    }
    sinceBefore = sinceMs;
    for (let page = log.allEvents(seq, PAGE); page.length > 0; page = log.allEvents(seq, PAGE)) {
      for (const { loop, event } of page) take(loop, event, sinceMs);
      seq = page.at(-1)?.seq ?? seq;
    }
    spans = spans.filter(({ to }) => to > sinceMs);
    return spans.reduce((sum, { from, to }) => sum + to - Math.max(from, sinceMs), 0);
  };
}
