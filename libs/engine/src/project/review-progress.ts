import type { Clock } from "@anneal/adapters";
import type { SeedEvent } from "@anneal/core/write";
import type { ItemRef } from "@anneal/types";
import { keyOf } from "../history/item-key.ts";
import type { Transcripts } from "../log/index.ts";
import { type AgentActivity, type Recorder, type RecorderOptions, recorder } from "../loop/recorder.ts";
import type { RuntimeOptions } from "./runtime-options.ts";

/** What a reviewer says just now, in seed 000's name for it. It is in no log and is never repeated; the transcript has all of it. */
export interface Progress {
  loop: string;
  /** The key of the item. */
  item: string;
  seed: Extract<SeedEvent, { type: "feature:code-review-progress" }>;
}

/** So much at a time, and no more often than this: a word in a message each would drown all else. */
const ENOUGH_CHARS = 2_000;
const PAUSE_MS = 1_000;
/** Of one review; who wants more reads the transcript. */
const MOST_CHARS = 32_000;
const MORE = "… the rest is in the transcript";

/** A loop's recorder that also tells what the reviewer of a feature says, while it says it. Other seeds have no name for that. */
export function progressing(
  [loop, ref]: [loop: string, ref: ItemRef],
  transcripts: Transcripts,
  ears: RecorderOptions & Pick<RuntimeOptions, "clock" | "onProgress">,
): Recorder {
  const { clock, onSeen, onProgress } = ears;
  const about = { loop, item: keyOf(ref) };
  if (ref.kind !== "feature" || onProgress === undefined) return recorder(about, transcripts, ears);
  const tell = (iterationNumber: number, message: string) => {
    const payload = { featureId: ref.id, iterationNumber, message };
    onProgress({ ...about, seed: { type: "feature:code-review-progress", payload } });
  };
  const speech = speechOf(tell, clock);
  const both = (seen: AgentActivity) => {
    onSeen?.(seen);
    speech.hear(seen);
  };
  const record = recorder(about, transcripts, { ...ears, onSeen: both });
  return {
    hear: record.hear,
    begin(stage, turn, round) {
      speech.begin(stage === "reviewing" ? (round ?? null) : null);
      record.begin(stage, turn, round);
    },
    // What was held back is reported before the event that the attempt comes to.
    end() {
      const transcript = record.end();
      speech.end();
      return transcript;
    },
    drop() {
      record.drop();
      speech.end();
    },
  };
}

function speechOf(tell: (round: number, message: string) => void, clock: Pick<Clock, "now">) {
  let round: number | null = null;
  let speaker = "";
  let held = "";
  let left = MOST_CHARS;
  let toldAt = Number.NEGATIVE_INFINITY;
  const flush = () => {
    if (round === null || held.trim() === "") return;
    for (; held.trim() !== "" && left > 0; left -= ENOUGH_CHARS) {
      tell(round, held.slice(0, ENOUGH_CHARS));
      held = held.slice(ENOUGH_CHARS);
      if (left <= ENOUGH_CHARS && held.trim() !== "") tell(round, MORE);
    }
    held = "";
    toldAt = clock.now();
  };
  return {
    begin(of: number | null) {
      [round, speaker, held, left, toldAt] = [of, "", "", MOST_CHARS, Number.NEGATIVE_INFINITY];
    },
    hear({ role, agent, event }: AgentActivity) {
      if (round === null || role !== "reviewer") return;
      // Several may speak at once: a message is the words of one.
      if (agent !== speaker) flush();
      speaker = agent;
      if (event.kind === "text") held += event.text;
      if (held.length >= ENOUGH_CHARS || clock.now() - toldAt >= PAUSE_MS) flush();
    },
    end() {
      flush();
      round = null;
    },
  };
}
