import { failpoint } from "@anneal/system/failpoint";
import { ForgeError } from "../contract/errors.ts";
import { marked } from "../contract/marker.ts";
import type { CommentText, Conversation, Review, ReviewRequest, WriteOutcome } from "../contract/port.ts";
import { ask, commentView, type FakeContext, keyOf, look, nowText, pullRequestRefsOf, reviewView } from "./context.ts";
import { type FakeState, pullIn, type StoredComment, type StoredPull, type StoredReview } from "./state.ts";

export function conversation(desk: FakeContext): Conversation {
  return {
    async comments(number, { since = "" } = {}) {
      const state = await look(desk);
      const stored = pullIn(state, number).comments.filter((comment) => comment.updatedAt >= since);
      return stored.map((comment) => commentView(desk, state, number, comment));
    },
    async reviews(number) {
      const state = await look(desk);
      return pullIn(state, number)
        .reviews.filter(isPublished)
        .map((review) => reviewView(state, review));
    },
    async say(number, words) {
      failpoint("forge.comment.before");
      const answer = await ask(desk, (state) => {
        const { comment, outcome } = say(state, number, words, nowText(desk.clock));
        return { comment: commentView(desk, state, number, comment), outcome };
      });
      failpoint("forge.comment.after");
      return answer;
    },
    async review(number, request) {
      const { head } = await pullRequestRefsOf(desk, pullIn(await look(desk), number));
      failpoint("forge.review.before");
      const answer = await ask(desk, (state) => {
        const { review, outcome } = addReview(state, number, request, head, nowText(desk.clock));
        return { review: reviewView(state, review), outcome };
      });
      failpoint("forge.review.after");
      return answer;
    },
  };
}

type Published = StoredReview & { state: Review["state"] };

function isPublished(review: StoredReview): review is Published {
  return review.state !== "pending";
}

function say(
  state: FakeState,
  number: number,
  { key, body, inReplyTo }: CommentText,
  at: string,
): { comment: StoredComment; outcome: WriteOutcome } {
  const pull = pullIn(state, number);
  const text = marked("comment", key, body);
  const known = pull.comments.find((comment) => keyOf(state, "comment", comment) === key);
  if (known?.body === text) return { comment: known, outcome: "unchanged" };
  if (known !== undefined) {
    Object.assign(known, { body: text, updatedAt: at });
    return { comment: known, outcome: "edited" };
  }
  const target = inReplyTo === undefined ? null : commentIn(pull, inReplyTo);
  return { comment: addComment(state, pull, { author: state.me, body: text, at, target }), outcome: "created" };
}

export function commentIn(pull: StoredPull, id: number): StoredComment {
  const found = pull.comments.find((comment) => comment.id === id);
  if (found !== undefined) return found;
  throw new ForgeError("not-found", `pull request ${pull.number} has no comment ${id}: it may have been deleted`);
}

export interface NewComment {
  author: string;
  body: string;
  at: string;
  /** The comment that it answers. */
  target?: StoredComment | null;
  place?: { file: string; line: number; commit: string };
  reviewId?: number;
}

export function addComment(state: FakeState, pull: StoredPull, comment: NewComment): StoredComment {
  const { author, body, at, target, place, reviewId = null } = comment;
  const id = state.nextId++;
  const common = { id, author, body, createdAt: at, updatedAt: at, reviewId };
  const onLine = target?.kind === "line" ? target : null;
  const added: StoredComment =
    onLine !== null
      ? { ...common, kind: "line", ...placeOf(onLine), commit: onLine.commit, thread: onLine.thread }
      : place !== undefined
        ? { ...common, kind: "line", ...place, thread: { id: `t${id}`, resolved: false } }
        : { ...common, kind: "conversation", commit: null, thread: null };
  pull.comments.push(added);
  return added;
}

function placeOf({ file, line }: StoredComment): Pick<StoredComment, "file" | "line"> {
  return { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
}

const STATES = { approve: "approved", "request-changes": "changes_requested", comment: "commented" } as const;

function addReview(
  state: FakeState,
  number: number,
  { key, head, verdict, body, comments = [] }: ReviewRequest,
  now: string,
  at: string,
): { review: Published; outcome: "created" | "unchanged" } {
  const pull = pullIn(state, number);
  const known = pull.reviews.filter(isPublished).find((review) => keyOf(state, "review", review) === key);
  if (known !== undefined) return { review: known, outcome: "unchanged" };
  if (head !== now) throw new ForgeError("head-moved", `pull request ${number} is at ${now} by now: review that`);
  if (verdict === "approve" && pull.author === state.me) {
    throw new ForgeError("invalid", "an account cannot approve its own pull request: comment instead");
  }
  const author = state.me;
  const text = marked("review", key, body);
  const review = { id: state.nextId++, author, state: STATES[verdict], body: text, commit: head, submittedAt: at };
  pull.reviews.push(review);
  for (const [index, { file, line, body: said }] of comments.entries()) {
    const place = { file, line, commit: head };
    const words = marked("comment", `${key}:${index + 1}`, said);
    addComment(state, pull, { author, body: words, at, place, reviewId: review.id });
  }
  return { review, outcome: "created" };
}
