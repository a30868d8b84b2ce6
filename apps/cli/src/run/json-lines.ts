import type { LoopNotification, Progress } from "@anneal/engine/project";
import { json } from "../project/output.ts";
import { harmlessLine } from "../style.ts";

/** Events as lines of JSON: first the loop's own, then what the seeds call it, each with the item that it is about. */
export function jsonLines(command: string) {
  return {
    event({ seq, loop, item, event, state, seed }: LoopNotification): void {
      const own = { seq, type: `loop:${event.type}`, payload: { loop, item, stage: state.stage, event } };
      // A seed's payload stays as the seed has it; whom it is about stands beside it.
      const named = seed.map(({ type, payload }) => ({ seq, type, item, payload }));
      process.stdout.write([own, ...named].map((one) => json(one, 0)).join(""));
    },
    // What agents do is in their transcripts; here it would drown the events. The seed's own event has no number: no log has it.
    seen: () => {},
    progress({ item, seed: { type, payload } }: Progress): void {
      process.stdout.write(json({ type, item, payload }, 0));
    },
    say: (message: string) => {
      process.stderr.write(`anneal ${command}: ${harmlessLine(message)}\n`);
    },
    close: () => {},
  };
}
