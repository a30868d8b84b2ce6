import { join } from "node:path";
import { median } from "../median.ts";
import { startPart } from "../parts.ts";
import type { Bench, Measure } from "../table.ts";

/** What counting costs beside the loops that are counted. */
export function analyticsBenches(dir: string, quick: boolean): Record<string, () => Bench> {
  return { "analytics of a loop": () => counting(join(dir, "analytics"), quick ? 3 : 9) };
}

function counting(dir: string, blocks: number): Bench {
  const { append, counting: extra, block } = startPart("analytics", dir, blocks);
  const row = (measure: string, of: "cpuUs" | "us"): Measure => {
    const bare = median(append.map((one) => one[of]));
    const ours = bare + median(extra.map((one) => one[of]));
    return { measure, ours, baseline: { name: "bare append", value: bare }, unit: "µs", limit: 1.05 };
  };
  return {
    title: `Analytics: an event into the log and counted, the file written every ${block} events`,
    measures: [row("a loop waits for an event", "us"), row("CPU of an event, the file included", "cpuUs")],
  };
}
