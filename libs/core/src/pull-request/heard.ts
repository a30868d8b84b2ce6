import type { PRComment } from "@anneal/types";

/** What a forge reports about a pull request, as far as it matters for what to do next. */
export interface ForgeFeedback {
  pull: {
    state: "open" | "closed" | "merged";
    draft: boolean;
    head: { sha: string };
    mergeability: "clean" | "conflict" | "unknown";
  };
  comments: readonly FeedbackComment[];
  reviews: readonly FeedbackReview[];
  /** Of this head only. */
  checks: readonly FeedbackCheck[];
  /** What each author may do, in the forge's word. */
  permissions: Readonly<Record<string, string>>;
}

export interface FeedbackComment extends PRComment {
  kind: "conversation" | "line";
  thread: { id: string; resolved: boolean } | null;
  reviewId: number | null;
  /** Our own key, where we wrote it ourselves. */
  key: string | null;
}

export interface FeedbackReview {
  id: number;
  author: string;
  isBot: boolean;
  state: "approved" | "changes_requested" | "commented" | "dismissed";
  body: string;
  /** The head that it was made on. */
  commit: string;
  key: string | null;
}

export interface FeedbackCheck {
  id: number;
  name: string;
  status: "queued" | "in_progress" | "completed";
  conclusion: string | null;
  summary: string;
  log: string;
}

/** Whose word counts, and which checks have to be there. */
export interface FeedbackRules {
  /** Accounts that count whatever the forge says, bots included. */
  allow?: readonly string[];
  /** Checks that are waited for even while nothing is known of them. */
  requiredChecks?: readonly string[];
}

const MAY_DECIDE = new Set(["write", "maintain", "admin"]);

/** Whether what this account writes is an instruction to us. Everybody else may talk, and is not listened to. */
export function isAuthorised(
  { permissions }: Pick<ForgeFeedback, "permissions">,
  { author, isBot }: { author: string; isBot: boolean },
  { allow = [] }: FeedbackRules,
): boolean {
  // Forges do not tell upper from lower case in names.
  if (allow.some((name) => name.toLowerCase() === author.toLowerCase())) return true;
  const permission = Object.hasOwn(permissions, author) ? permissions[author] : undefined;
  return !isBot && permission !== undefined && MAY_DECIDE.has(permission);
}
