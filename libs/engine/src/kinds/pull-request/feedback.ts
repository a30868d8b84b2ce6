import { advance, ignoredFeedback, start } from "@anneal/core";
import type { LoopEvent, LoopState, Policy } from "@anneal/types";

export type FeedbackReceived = Extract<LoopEvent, { type: "feedback-received" }>;
type Events = Iterable<{ event: LoopEvent }>;

/** What people said on the pull request since it was last brought up to date. */
export function unanswered(events: Events): FeedbackReceived[] {
  let due: FeedbackReceived[] = [];
  for (const { event } of events) {
    if (event.type === "pr-opened") due = [];
    if (event.type === "feedback-received") due = [...due, event];
  }
  return due;
}

/** The last that the forge said about the loop's head and that the loop could take. */
export function lastFeedback(events: Events): FeedbackReceived | null {
  let state: LoopState | null = null;
  let policy: Policy | null = null;
  let last: FeedbackReceived | null = null;
  for (const { event } of events) {
    if (event.type === "loop-started") {
      state = start(event);
      policy = event.policy;
    } else if (state !== null && policy !== null) {
      if (event.type === "feedback-received" && ignoredFeedback(state, event) === null) last = event;
      state = advance(policy, state, event);
    }
  }
  return last !== null && last.head === state?.head ? last : null;
}
