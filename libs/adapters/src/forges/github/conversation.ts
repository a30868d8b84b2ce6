import { failpoint } from "@anneal/system/failpoint";
import { ForgeError } from "../contract/errors.ts";
import { marked } from "../contract/marker.ts";
import type { Comment, CommentText, Conversation, WriteOutcome } from "../contract/port.ts";
import type { GithubClient } from "./client/client.ts";
import { maybeNumber } from "./client/fields.ts";
import { commentView, type RawComments } from "./comment-view.ts";
import { myLogin } from "./people.ts";
import { makeReview, reviewsOf } from "./reviews.ts";
import { threadsOf } from "./threads.ts";

export function conversation(client: GithubClient): Conversation {
  return {
    async comments(number, { since } = {}) {
      return (await viewsOf(client, await readComments(client, number, since), number)).map(({ comment }) => comment);
    },
    reviews: (number) => reviewsOf(client, number),
    say: (number, words) => client.alone(`talk ${number}`, () => say(client, number, words)),
    review: (number, request) => client.alone(`talk ${number}`, () => makeReview(client, number, request)),
  };
}

async function readComments(client: GithubClient, number: number, since?: string): Promise<RawComments> {
  const query = since === undefined ? {} : { since };
  const lines = await client.list(client.path("pulls", number, "comments"), query);
  const whole = await client.list(client.path("issues", number, "comments"), query);
  return { lines, whole };
}

interface SeenComment {
  raw: unknown;
  comment: Comment;
}

/** Oldest first. The two kinds are numbered each for itself. */
async function viewsOf(client: GithubClient, { lines, whole }: RawComments, number: number): Promise<SeenComment[]> {
  const me = await myLogin(client);
  const threads = lines.length === 0 ? new Map() : await threadsOf(client, number);
  const all = [
    ...whole.map((raw) => ({ raw, comment: commentView(raw, { me, kind: "conversation", threads }) })),
    ...lines.map((raw) => ({ raw, comment: commentView(raw, { me, kind: "line", threads }) })),
  ];
  const at = ({ comment }: SeenComment) => Date.parse(comment.createdAt);
  return all.sort((one, other) => at(one) - at(other) || one.comment.id - other.comment.id);
}

async function say(
  client: GithubClient,
  number: number,
  { key, body, inReplyTo }: CommentText,
): Promise<{ comment: Comment; outcome: WriteOutcome }> {
  const text = marked("comment", key, body);
  const all = await viewsOf(client, await readComments(client, number), number);
  const known = all.find(({ comment }) => comment.key === key);
  if (known !== undefined && marked("comment", key, known.comment.body) === text) {
    return { comment: known.comment, outcome: "unchanged" };
  }
  const target = inReplyTo === undefined ? null : commentIn(all, number, inReplyTo);
  failpoint("forge.comment.before");
  const { raw, kind } =
    known === undefined ? await make(client, number, text, target) : await change(client, known, text);
  failpoint("forge.comment.after");
  const asked = kind === "line" ? await threadsOf(client, number) : new Map();
  const comment = commentView(raw, { me: await myLogin(client), kind, threads: asked });
  return { comment, outcome: known === undefined ? "created" : "edited" };
}

interface Written {
  raw: unknown;
  kind: Comment["kind"];
}

async function change(client: GithubClient, { comment: { id, kind } }: SeenComment, body: string): Promise<Written> {
  const path = client.path(kind === "line" ? "pulls" : "issues", "comments", id);
  return { raw: await client.write("PATCH", path, { body }), kind };
}

async function make(client: GithubClient, number: number, body: string, target: SeenComment | null): Promise<Written> {
  if (target?.comment.kind !== "line") {
    const path = client.path("issues", number, "comments");
    return { raw: await client.write("POST", path, { body }), kind: "conversation" };
  }
  // Only the first comment of a thread can be answered.
  const first = maybeNumber(target.raw, "in_reply_to_id") ?? target.comment.id;
  const path = client.path("pulls", number, "comments", first, "replies");
  return { raw: await client.write("POST", path, { body }), kind: "line" };
}

function commentIn(all: SeenComment[], number: number, id: number): SeenComment {
  const found = all.find(({ comment }) => comment.id === id);
  if (found !== undefined) return found;
  throw new ForgeError("not-found", `pull request ${number} has no comment ${id}: it may have been deleted`);
}
