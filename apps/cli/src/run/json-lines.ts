import type { Told } from "@anneal/engine/project";
import { json } from "../project/output.ts";
import { harmlessLine } from "../style.ts";

/** Events as lines of JSON: first the loop's own, then what the seeds call it. */
export function jsonLines(command: string) {
  return {
    event({ seq, loop, item, event, state, seed }: Told): void {
      const own = { seq, type: `loop:${event.type}`, payload: { loop, item, stage: state.stage, event } };
      process.stdout.write([own, ...seed.map((one) => ({ seq, ...one }))].map((one) => json(one, 0)).join(""));
    },
    say: (message: string) => {
      process.stderr.write(`anneal ${command}: ${harmlessLine(message)}\n`);
    },
    close: () => {},
  };
}
