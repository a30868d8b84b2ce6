import type { SignalName } from "@anneal/types";

/** How the words of people are called on buttons, and the keys that say them (seed 001's shortcuts among them). */
export const SIGNAL_WORDS: Readonly<Record<SignalName, { name: string; key: string }>> = {
  skip: { name: "Skip review", key: "shift+s" },
  retry: { name: "Retry", key: "r" },
  refine: { name: "Refine", key: "f" },
  ready: { name: "Mark ready", key: "shift+m" },
  approve: { name: "Approve", key: "shift+p" },
  accept: { name: "Accept", key: "shift+c" },
  "take-over": { name: "Take over", key: "shift+o" },
  "one-more": { name: "One more round", key: "shift+n" },
  pause: { name: "Pause", key: "shift+u" },
  resume: { name: "Resume", key: "shift+r" },
  stop: { name: "Stop", key: "shift+x" },
};
