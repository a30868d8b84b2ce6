import type { PRComment } from "@anneal/types";

/** A forge, where pull requests live. Lists are whole: paging is the adapter's business. */
export interface Forge extends PullRequests, Conversation, ForgeChecks, People, Watching {
  name: string;
}

/** What we make carries a key: asked for twice, it is made once, also when the first answer got lost. */
export interface PullRequests {
  /** The pull request of this key, or a new one. Labels and reviewers that are missing are added; text stays as it is. */
  open(request: OpenRequest): Promise<Opened>;
  get(number: number): Promise<PullRequest>;
  /** All pull requests from a branch, closed ones too, newest first. */
  fromBranch(branch: string): Promise<PullRequest[]>;
  /** Changes what we opened ourselves; the text of other people's pull requests is theirs. */
  update(number: number, change: PullRequestChange): Promise<PullRequest>;
  markReady(number: number): Promise<PullRequest>;
  merge(number: number, request: ForgeMergeRequest): Promise<MergeResult>;
}

export interface Conversation {
  /** Oldest first; `since` leaves out what was not touched since then. */
  comments(number: number, options?: { since?: string }): Promise<Comment[]>;
  /** Published reviews only, oldest first. */
  reviews(number: number): Promise<Review[]>;
  /** A comment on the whole, or an answer. The same key again edits it in place. */
  say(number: number, words: CommentText): Promise<{ comment: Comment; outcome: WriteOutcome }>;
  review(number: number, request: ReviewRequest): Promise<{ review: Review; outcome: "created" | "unchanged" }>;
}

/** What only some forges can do with a thread besides holding it. */
export interface Resolving {
  /** Marks the thread that a comment on a line begins as done, as a person does with a button. */
  resolve(number: number, comment: number): Promise<void>;
}

export interface ForgeChecks {
  /** What was checked at exactly this commit; of several runs of one check the latest. */
  checks(head: string): Promise<Check[]>;
}

export interface People {
  /** The account that we act as. */
  me(): Promise<string>;
  permission(user: string): Promise<Permission>;
}

export interface Watching {
  /** Whether anything about a pull request or its checks differs from an earlier cursor. Cheap, for polling. */
  changed(number: number, since: string | null): Promise<{ changed: boolean; cursor: string }>;
}

export type Permission = "none" | "read" | "triage" | "write" | "maintain" | "admin";
export type WriteOutcome = "created" | "edited" | "unchanged";

export interface PullRequest {
  number: number;
  url: string;
  title: string;
  /** Without our marker. */
  body: string;
  state: "open" | "closed" | "merged";
  draft: boolean;
  base: string;
  /** `gone`: the branch is not there any more, though the pull request is open; `sha` is what it was last known at. */
  head: { branch: string; sha: string; gone?: true };
  author: string;
  labels: string[];
  reviewers: string[];
  mergeability: "clean" | "conflict" | "unknown";
  mergeCommit: string | null;
  /** Our key, where we opened it. */
  key: string | null;
}

export interface OpenRequest {
  key: string;
  branch: string;
  base: string;
  title: string;
  body: string;
  draft: boolean;
  labels?: readonly string[];
  reviewers?: readonly string[];
}

export interface Opened {
  pull: PullRequest;
  /** `theirs`: the branch has an open pull request that somebody else made, and no second one is possible. */
  outcome: "created" | "found" | "theirs";
}

/** Labels and reviewers are added, never taken away. */
export type PullRequestChange = Partial<Pick<OpenRequest, "title" | "body" | "base" | "labels" | "reviewers">>;

export interface Comment extends PRComment {
  kind: "conversation" | "line";
  url: string;
  updatedAt: string;
  /** The commit that a comment on a line was made on. */
  commit: string | null;
  /** Null for the conversation, which has no threads. */
  thread: { id: string; resolved: boolean } | null;
  /** The review that it was published with. */
  reviewId: number | null;
  /** Our key, where we wrote it. Markers in other people's text never count. */
  key: string | null;
}

export interface Review {
  id: number;
  author: string;
  isBot: boolean;
  state: "approved" | "changes_requested" | "commented" | "dismissed";
  body: string;
  /** The head that it was made on; it says nothing about later ones. */
  commit: string;
  submittedAt: string;
  key: string | null;
}

export interface CommentText {
  key: string;
  body: string;
  /** The comment that this answers; on a line the answer goes into its thread. */
  inReplyTo?: number;
}

export interface ReviewRequest {
  key: string;
  /** The head that was reviewed; another one by now is an error of kind `head-moved`. */
  head: string;
  verdict: "approve" | "request-changes" | "comment";
  body: string;
  comments?: readonly { file: string; line: number; body: string }[];
}

export interface Check {
  id: number;
  name: string;
  head: string;
  status: "queued" | "in_progress" | "completed";
  conclusion: Conclusion | null;
  summary: string;
  /** The end of its log, where the forge has one. */
  log: string;
  url: string;
  completedAt: string | null;
}

export type Conclusion =
  | "success"
  | "failure"
  | "neutral"
  | "cancelled"
  | "skipped"
  | "timed_out"
  | "action_required"
  | "startup_failure"
  | "stale";

export interface ForgeMergeRequest {
  method: "merge" | "squash" | "rebase";
  /** The head that earned it; a pull request that has moved on is not merged. */
  expectedHead: string;
  message?: string;
}

/** What can be expected to go wrong is a result; `merged` also where it had been merged before. Not every forge names the files of a conflict. */
export type MergeResult =
  | { result: "merged"; commit: string }
  | { result: "head-moved"; head: string }
  | { result: "conflict"; files: string[] }
  | { result: "not-mergeable"; reason: string };
