import type { FeedbackCheck, FeedbackComment, FeedbackReview, ForgeFeedback } from "../heard.ts";

let ids = 0;

export function comment(over: Partial<FeedbackComment> = {}): FeedbackComment {
  return {
    id: ++ids,
    author: "alice",
    isBot: false,
    body: "Please rename this.",
    createdAt: "2026-01-09T14:22:00Z",
    kind: "conversation",
    thread: null,
    reviewId: null,
    key: null,
    ...over,
  };
}

export function onLine(over: Partial<FeedbackComment> = {}): FeedbackComment {
  return comment({ kind: "line", file: "src/cart.ts", line: 10, thread: { id: "t1", resolved: false }, ...over });
}

export function review(over: Partial<FeedbackReview> = {}): FeedbackReview {
  return { id: ++ids, author: "alice", isBot: false, state: "approved", body: "", commit: "c1", key: null, ...over };
}

export function check(over: Partial<FeedbackCheck> = {}): FeedbackCheck {
  return { id: ++ids, name: "test", status: "completed", conclusion: "success", summary: "", log: "", ...over };
}

/** An open pull request at c1, on which alice and bob may decide, eve may read, and bots may write. */
export function forgeFeedback(over: Partial<ForgeFeedback> = {}): ForgeFeedback {
  return {
    pull: { state: "open", draft: false, head: { sha: "c1" }, mergeability: "clean" },
    comments: [],
    reviews: [],
    checks: [],
    permissions: { alice: "write", bob: "admin", eve: "read", "ci-bot": "write" },
    ...over,
  };
}
