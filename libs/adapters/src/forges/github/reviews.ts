import { failpoint } from "@anneal/system/failpoint";
import { ForgeError } from "../contract/errors.ts";
import { keyIn, marked, unmarked } from "../contract/marker.ts";
import type { Review, ReviewRequest } from "../contract/port.ts";
import type { GithubClient } from "./client/client.ts";
import { ForgeRefusal } from "./client/failures.ts";
import { authorOf, maybeText, numberOf, textOf } from "./client/fields.ts";
import { diffLines } from "./diff-lines.ts";
import { isSameName, myLogin } from "./people.ts";
import { pullRequest } from "./pull-view.ts";

const STATES: Record<string, Review["state"]> = {
  APPROVED: "approved",
  CHANGES_REQUESTED: "changes_requested",
  COMMENTED: "commented",
  DISMISSED: "dismissed",
};

/** Published ones. An answer in a thread is a review without words at GitHub, which is none. */
export async function reviewsOf(client: GithubClient, number: number): Promise<Review[]> {
  const raws = await client.list(client.path("pulls", number, "reviews"));
  const me = await myLogin(client);
  return raws
    .flatMap((raw) => reviewView(raw, me) ?? [])
    .filter((one) => one.state !== "commented" || one.body !== "" || one.key !== null);
}

function reviewView(raw: unknown, me: string): Review | null {
  const state = STATES[textOf(raw, "state")];
  const submittedAt = maybeText(raw, "submitted_at");
  if (state === undefined || submittedAt === null) return null;
  const { author, isBot } = authorOf(raw);
  const text = (maybeText(raw, "body") ?? "").replace(/\r\n/g, "\n");
  const key = isSameName(author, me) ? keyIn("review", text) : null;
  const body = key === null ? text : unmarked(text);
  // The commit of a review can be gone from the forge; it is then no head that anybody asks about.
  const commit = maybeText(raw, "commit_id") ?? "";
  return { id: numberOf(raw, "id"), author, isBot, state, body, commit, submittedAt, key };
}

const EVENTS = { approve: "APPROVE", "request-changes": "REQUEST_CHANGES", comment: "COMMENT" } as const;

/** One review with all its comments, so that people are told once. */
export async function makeReview(
  client: GithubClient,
  number: number,
  request: ReviewRequest,
): Promise<{ review: Review; outcome: "created" | "unchanged" }> {
  const { key, head, verdict } = request;
  marked("review", key, "");
  const known = (await reviewsOf(client, number)).find((review) => review.key === key);
  if (known !== undefined) return { review: known, outcome: "unchanged" };
  const pull = await pullRequest(client, number);
  const now = pull.head.sha;
  if (head !== now) throw new ForgeError("head-moved", `pull request ${number} is at ${now} by now: review that`);
  const me = await myLogin(client);
  if (verdict === "approve" && isSameName(pull.author, me)) {
    throw new ForgeError("invalid", "an account cannot approve its own pull request: comment instead");
  }
  failpoint("forge.review.before");
  const raw = await publish(client, number, request);
  failpoint("forge.review.after");
  const review = reviewView(raw, me);
  if (review === null)
    throw new ForgeError("damaged", "the forge did not publish the review: look at the pull request");
  return { review, outcome: "created" };
}

/** GitHub refuses the whole where one line is not in the diff: what cannot stand there stands in the text. */
async function publish(client: GithubClient, number: number, request: ReviewRequest): Promise<unknown> {
  const path = client.path("pulls", number, "reviews");
  try {
    return await client.write("POST", path, bodyOf(request, request.comments ?? []));
  } catch (error) {
    const isAboutLines =
      error instanceof ForgeRefusal &&
      error.status === 422 &&
      /\b(line|path|diff|pull_request_review_thread)/i.test(error.said);
    if (!isAboutLines || (request.comments ?? []).length === 0) throw error;
    // It is known to have made the review all the same, without its comments.
    const made = (await reviewsOf(client, number)).find((review) => review.key === request.key);
    if (made !== undefined) {
      const { body } = bodyOf(request, []);
      return await client.write("PUT", client.path("pulls", number, "reviews", made.id), { body });
    }
    const lines = await diffLines(client, number);
    const fits = (one: { file: string; line: number }) => lines.get(one.file)?.has(one.line) === true;
    return await client.write("POST", path, bodyOf(request, (request.comments ?? []).filter(fits)));
  }
}

type Placed = NonNullable<ReviewRequest["comments"]>;

function bodyOf({ key, head, verdict, body, comments = [] }: ReviewRequest, placed: Placed) {
  const rest = comments.filter((one) => !placed.includes(one));
  const text = [body, ...rest.map(({ file, line, body: said }) => `**${file}:${line}**\n\n${said}`)].join("\n\n");
  return {
    commit_id: head,
    event: EVENTS[verdict],
    body: marked("review", key, text),
    comments: comments.flatMap((one, index) => {
      const { file, line, body: said } = one;
      if (!placed.includes(one)) return [];
      return [{ path: file, line, side: "RIGHT", body: marked("comment", `${key}:${index + 1}`, said) }];
    }),
  };
}
