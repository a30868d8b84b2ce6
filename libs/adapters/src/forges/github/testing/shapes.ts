// How GitHub shows what the fake forge holds.
import { createHash } from "node:crypto";
import type { FakeState, StoredCheck, StoredComment, StoredPull, StoredReview } from "../../fake/state.ts";

export const OWNER = "acme";
export const REPO = "shop";

export function userShape(state: FakeState, login: string) {
  const isBot = Object.hasOwn(state.users, login) && state.users[login]?.bot === true;
  return { login, id: idOf(login), type: isBot ? "Bot" : "User" };
}

export interface PullFacts {
  head: string;
  base: string | null;
  mergeable: boolean | null;
  /** One answer for itself, or one of a list. */
  as: "single" | "item";
}

export function pullShape(state: FakeState, pull: StoredPull, { head, base, mergeable, as }: PullFacts) {
  const repo = { id: 1, name: REPO, full_name: `${OWNER}/${REPO}` };
  const isMerged = pull.state === "merged";
  const times = [
    ...pull.comments.map(({ createdAt }) => createdAt),
    ...pull.reviews.map(({ submittedAt }) => submittedAt),
  ];
  const lines = pull.comments.filter(({ kind }) => kind === "line").length;
  return {
    id: 1_000 + pull.number,
    node_id: `PR_${pull.number}`,
    number: pull.number,
    html_url: `https://github.example/${OWNER}/${REPO}/pull/${pull.number}`,
    title: pull.title,
    body: pull.body === "" ? null : pull.body,
    state: pull.state === "open" ? "open" : "closed",
    draft: pull.draft,
    user: userShape(state, pull.author),
    labels: pull.labels.map((name) => ({ id: idOf(name), name })),
    requested_reviewers: pull.reviewers.map((login) => userShape(state, login)),
    requested_teams: [],
    head: { label: `${OWNER}:${pull.branch}`, ref: pull.branch, sha: head, repo },
    base: { label: `${OWNER}:${pull.base}`, ref: pull.base, sha: base ?? "", repo },
    merged_at: isMerged ? "2027-01-01T00:00:00Z" : null,
    updated_at: times.toSorted().at(-1) ?? "2027-01-01T00:00:00Z",
    // While it is open this is a merge that GitHub tries by itself.
    merge_commit_sha: isMerged ? pull.mergeCommit : sha1(`${base} ${head}`),
    ...(as === "item"
      ? {}
      : { merged: isMerged, mergeable, comments: pull.comments.length - lines, review_comments: lines }),
  };
}

export function commentShape(state: FakeState, pull: StoredPull, comment: StoredComment) {
  const { id, author, body, createdAt, updatedAt } = comment;
  const common = {
    id,
    node_id: `C_${id}`,
    body,
    user: userShape(state, author),
    created_at: createdAt,
    updated_at: updatedAt,
    html_url: `https://github.example/${OWNER}/${REPO}/pull/${pull.number}#comment-${id}`,
  };
  if (comment.kind === "conversation") return common;
  const first = firstOf(pull, comment);
  return {
    ...common,
    path: comment.file,
    // Gone once a later commit took the line away, which a stand-in need not know.
    line: null,
    original_line: comment.line,
    side: "RIGHT",
    commit_id: pull.head,
    original_commit_id: comment.commit,
    pull_request_review_id: comment.reviewId ?? carrierOf(comment),
    ...(first.id === id ? {} : { in_reply_to_id: first.id }),
  };
}

export function firstOf(pull: StoredPull, comment: StoredComment): StoredComment {
  return pull.comments.find(({ thread }) => thread?.id === comment.thread?.id && thread !== null) ?? comment;
}

/** A comment on a line that came with no review comes with one of its own at GitHub, which has no words. */
function carrierOf({ id }: StoredComment): number {
  return 50_000_000 + id;
}

export function reviewShapes(state: FakeState, pull: StoredPull) {
  const lone = pull.comments.filter(({ kind, reviewId }) => kind === "line" && reviewId === null);
  const carriers = lone.map((comment) => {
    const { author, commit, createdAt } = comment;
    return reviewShape(state, {
      id: carrierOf(comment),
      author,
      state: "commented",
      body: "",
      commit: commit ?? "",
      submittedAt: createdAt,
    });
  });
  return [...carriers, ...pull.reviews.map((review) => reviewShape(state, review))];
}

export function reviewShape(state: FakeState, { id, author, state: verdict, body, commit, submittedAt }: StoredReview) {
  const isPublished = verdict !== "pending";
  return {
    id,
    node_id: `R_${id}`,
    user: userShape(state, author),
    body,
    state: verdict.toUpperCase(),
    html_url: `https://github.example/${OWNER}/${REPO}/review/${id}`,
    commit_id: commit,
    ...(isPublished ? { submitted_at: submittedAt } : {}),
  };
}

export function runShape({ id, name, head, status, conclusion, summary, log, completedAt }: StoredCheck) {
  return {
    id,
    name,
    head_sha: head,
    status,
    conclusion,
    completed_at: completedAt,
    html_url: `https://github.example/${OWNER}/${REPO}/runs/${id}`,
    output: { title: null, summary, text: log, annotations_count: 0 },
    app: { id: 1, slug: "unit-tests" },
  };
}

export function sha1(text: string): string {
  return createHash("sha1").update(text).digest("hex");
}

function idOf(name: string): number {
  return Number.parseInt(sha1(name).slice(0, 7), 16);
}
