import { keyIn, unmarked } from "../contract/marker.ts";
import type { Comment } from "../contract/port.ts";
import { authorOf, maybeNumber, maybeText, numberOf, textOf } from "./client/fields.ts";
import { isSameName } from "./people.ts";
import type { Threads } from "./threads.ts";

/** GitHub keeps what is said on lines apart from what is said on the whole. */
export interface RawComments {
  lines: unknown[];
  whole: unknown[];
}

export interface CommentViewOptions {
  me: string;
  kind: Comment["kind"];
  threads: Threads;
}

export function commentView(raw: unknown, { me, kind, threads }: CommentViewOptions): Comment {
  const { author, isBot } = authorOf(raw);
  const text = (maybeText(raw, "body") ?? "").replace(/\r\n/g, "\n");
  const key = isSameName(author, me) ? keyIn("comment", text) : null;
  return {
    id: numberOf(raw, "id"),
    author,
    isBot,
    body: key === null ? text : unmarked(text),
    key,
    url: textOf(raw, "html_url"),
    createdAt: textOf(raw, "created_at"),
    updatedAt: textOf(raw, "updated_at"),
    kind,
    ...(kind === "conversation" ? { commit: null, thread: null, reviewId: null } : onLine(raw, threads)),
  };
}

function onLine(raw: unknown, threads: Threads) {
  const first = maybeNumber(raw, "in_reply_to_id") ?? numberOf(raw, "id");
  const file = maybeText(raw, "path");
  // Where the comment was made; GitHub moves `line` along with later commits, and forgets it where they removed it.
  const line = maybeNumber(raw, "original_line") ?? maybeNumber(raw, "line");
  // A line of the old side is another one, or none, in the file as it is now.
  const isHere = line !== null && line > 0 && maybeText(raw, "side") !== "LEFT";
  return {
    ...(file === null ? {} : { file }),
    ...(isHere ? { line } : {}),
    commit: maybeText(raw, "original_commit_id") ?? maybeText(raw, "commit_id"),
    thread: threads.get(first) ?? { id: `comment:${first}`, resolved: false },
    reviewId: maybeNumber(raw, "pull_request_review_id"),
  };
}
