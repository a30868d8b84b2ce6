import { createHash } from "node:crypto";
import type { LoopEvent } from "@anneal/types";
import type { LoopLog } from "../loop/loop-engine.ts";
import type { LoopWorkArgs } from "./loop-work.ts";

/** A log that lasts as long as the process: for one-off runs whose result is all that matters. */
export function memoryLog(): LoopLog & { events: readonly LoopEvent[] } {
  const events: LoopEvent[] = [];
  return {
    events,
    append: (event) => {
      events.push(event);
    },
    words: () => [],
    refuse: () => {},
  };
}

/** Blobs that last as long as the process. */
export function memoryBlobs(): LoopWorkArgs["blobs"] {
  const texts = new Map<string, string>();
  return {
    put(content) {
      const text = typeof content === "string" ? content : Buffer.from(content).toString();
      const hash = createHash("sha256").update(text).digest("hex");
      texts.set(hash, text);
      return hash;
    },
    getText: (hash) => texts.get(hash) ?? "",
  };
}
