import { advance, atLeast, start, unheard } from "@anneal/core";
import type { Reckoning } from "@anneal/core/pull-request";
import type { Finding, LoopEvent, LoopState, Policy } from "@anneal/types";
import type { ProjectStore } from "./store-log.ts";

type FeedbackReceived = Extract<LoopEvent, { type: "feedback-received" }>;

/** What people said on the pull request since it was last brought up to date. */
export function answersDue(store: ProjectStore, loopId: string): FeedbackReceived[] {
  let due: FeedbackReceived[] = [];
  for (const { event } of store.events(loopId)) {
    if (event.type === "pr-opened") due = [];
    if (event.type === "feedback-received") due = [...due, event];
  }
  return due;
}

/** Only what was handed to the fixer has an answer; remarks below the threshold stay as they are. */
export function answered(policy: Policy, finding: Finding, reckoning: Reckoning): Reckoning | null {
  return atLeast(finding.severity, policy.pass.blocksAt) ? reckoning : null;
}

/** The last that the forge said about this head and that the loop could take. */
export function lastHeard(events: Iterable<{ event: LoopEvent }>): FeedbackReceived | null {
  let state: LoopState | null = null;
  let policy: Policy | null = null;
  let last: FeedbackReceived | null = null;
  for (const { event } of events) {
    if (event.type === "loop-started") {
      state = start(event);
      policy = event.policy;
    } else if (state !== null && policy !== null) {
      if (event.type === "feedback-received" && unheard(state, event) === null) last = event;
      state = advance(policy, state, event);
    }
  }
  return last !== null && last.head === state?.head ? last : null;
}
