// What GitHub answers, by operation, over the state of a fake forge.

import { type FakeContext, nowText, pullRequestRefsOf } from "../../fake/context.ts";
import { addComment } from "../../fake/conversation.ts";
import { merge, settled } from "../../fake/merge.ts";
import { type FakeState, nextPull, type StoredComment, type StoredPull, type StoredReview } from "../../fake/state.ts";
import { DOCUMENTS } from "../client/graphql.ts";
import { gitDiff } from "./git-diff.ts";
import { commentShape, firstOf, OWNER, pullShape, reviewShape, reviewShapes, runShape, userShape } from "./shapes.ts";

export interface StandInRequest {
  query: URLSearchParams;
  body: Record<string, unknown>;
  /** What stands in the path, in order, without owner and repository. */
  params: string[];
}

export interface StandInAnswer {
  status: number;
  body: unknown;
  /** A list that is sent in pages; in an object, under that name. */
  list?: string | true;
}

type Route = (desk: FakeContext, request: StandInRequest) => Promise<StandInAnswer>;

const repo = "/repos/{owner}/{repo}";

export const routes: Record<string, Route> = {
  "GET /user": async ({ store }) => {
    const state = await store.read();
    return ok(userShape(state, state.me));
  },
  [`GET ${repo}/pulls`]: async (desk, { query }) => {
    const numbers = (await desk.store.read()).pulls.map(({ number }) => number);
    for (const number of numbers) await settled(desk, number);
    const state = await desk.store.read();
    const wanted = query.get("state") ?? "open";
    const found = state.pulls
      .filter(({ branch }) => !query.has("head") || query.get("head") === `${OWNER}:${branch}`)
      .filter(({ state: now }) => wanted === "all" || (wanted === "open") === (now === "open"));
    return list(await Promise.all(found.toReversed().map((pull) => shapeOf(desk, state, pull, "item"))));
  },
  [`POST ${repo}/pulls`]: async (desk, { body }) => {
    const head = String(body.head);
    const base = String(body.base);
    const at = await desk.repo.heads(head, base);
    for (const field of ["head", "base"]) {
      if (at[String(body[field])] === null) return invalid({ resource: "PullRequest", field, code: "invalid" });
    }
    for (const { number, branch } of (await desk.store.read()).pulls) if (branch === head) await settled(desk, number);
    const made = await desk.store.change((state) => {
      if (state.pulls.some((pull) => pull.state === "open" && pull.branch === head && pull.base === base)) return null;
      const number = nextPull(state);
      const lists = { labels: [], reviewers: [], comments: [], reviews: [] };
      const rest = { state: "open", mergeCommit: null, merging: null } as const;
      const words = { title: String(body.title), body: String(body.body ?? ""), draft: body.draft === true };
      state.pulls.push({
        number,
        ...words,
        base,
        branch: head,
        head: at[head] ?? "",
        author: state.me,
        ...rest,
        ...lists,
      });
      return number;
    });
    if (made === null) {
      const message = `A pull request already exists for ${OWNER}:${head}.`;
      return invalid({ resource: "PullRequest", code: "custom", message });
    }
    return { ...(await single(desk, made)), status: 201 };
  },
  [`GET ${repo}/pulls/{pull_number}`]: async (desk, { params: [number] }) => await single(desk, Number(number)),
  [`PATCH ${repo}/pulls/{pull_number}`]: async (desk, { params: [number], body }) =>
    change(desk, Number(number), (pull) => {
      for (const name of ["title", "body", "base"] as const)
        if (typeof body[name] === "string") pull[name] = body[name];
    }),
  [`PUT ${repo}/pulls/{pull_number}/merge`]: async (desk, { params: [number], body }) => {
    const pull = await find(desk, Number(number));
    if (pull === null) return missing();
    const { me } = await desk.store.read();
    const method = body.merge_method === "squash" ? "squash" : "merge";
    const expectedHead = String(body.sha);
    const message = [body.commit_title, body.commit_message].filter((part) => part).join("\n\n");
    const asked = { method, expectedHead, ...(message === "" ? {} : { message }) } as const;
    const done = await merge(desk, pull.number, me, asked);
    if (done.result === "merged")
      return ok({ sha: done.commit, merged: true, message: "Pull Request successfully merged" });
    if (done.result === "head-moved") return no(409, "Head branch was modified. Review and try the merge again.");
    return no(405, done.result === "conflict" ? "Pull Request is not mergeable" : done.reason);
  },
  [`POST ${repo}/pulls/{pull_number}/requested_reviewers`]: async (desk, { params: [number], body }) =>
    change(desk, Number(number), (pull) => add(pull.reviewers, body.reviewers), "item"),
  [`POST ${repo}/issues/{issue_number}/labels`]: async (desk, { params: [number], body }) => {
    const answer = await change(desk, Number(number), (pull) => add(pull.labels, body.labels));
    return answer.status === 200 ? ok([]) : answer;
  },
  [`GET ${repo}/pulls/{pull_number}/files`]: async (desk, { params: [number] }) => {
    const pull = await find(desk, Number(number));
    if (pull === null) return missing();
    const { head, base } = await pullRequestRefsOf(desk, pull);
    return list(gitDiff(desk.store.dir, base ?? "", head));
  },
  [`GET ${repo}/pulls/{pull_number}/comments`]: (desk, request) => comments(desk, request, "line"),
  [`GET ${repo}/issues/{issue_number}/comments`]: (desk, request) => comments(desk, request, "conversation"),
  [`POST ${repo}/issues/{issue_number}/comments`]: (desk, { params: [number], body }) =>
    comment(desk, Number(number), body),
  [`POST ${repo}/pulls/{pull_number}/comments/{comment_id}/replies`]: (desk, { params: [number, id], body }) =>
    comment(desk, Number(number), body, Number(id)),
  [`PATCH ${repo}/issues/comments/{comment_id}`]: (desk, { params: [id], body }) => edit(desk, Number(id), body),
  [`PATCH ${repo}/pulls/comments/{comment_id}`]: (desk, { params: [id], body }) => edit(desk, Number(id), body),
  [`GET ${repo}/pulls/{pull_number}/reviews`]: async (desk, { params: [number] }) => {
    const pull = await find(desk, Number(number));
    return pull === null ? missing() : list(reviewShapes(await desk.store.read(), pull));
  },
  [`POST ${repo}/pulls/{pull_number}/reviews`]: async (desk, { params: [number], body }) => {
    const pull = await find(desk, Number(number));
    if (pull === null) return missing();
    const { head, base } = await pullRequestRefsOf(desk, pull);
    const placed = Array.isArray(body.comments) ? body.comments : [];
    const files = placed.length === 0 ? [] : gitDiff(desk.store.dir, base ?? "", head);
    const isOutside = placed.some(
      ({ path, line }) => !files.some((file) => file.filename === path && file.lines.has(line)),
    );
    if (isOutside) return no(422, "Unprocessable Entity", ["Line could not be resolved"]);
    return await desk.store.change((state) => {
      const target = state.pulls.find((one) => one.number === pull.number) ?? pull;
      const verdict = VERDICTS[String(body.event)] ?? "pending";
      const at = nowText(desk.clock);
      const review: StoredReview = {
        id: state.nextId++,
        author: state.me,
        state: verdict,
        body: String(body.body),
        commit: String(body.commit_id),
        submittedAt: at,
      };
      target.reviews.push(review);
      for (const { path, line, body: said } of placed) {
        const place = { file: path, line, commit: review.commit };
        addComment(state, target, { author: state.me, body: said, at, place, reviewId: review.id });
      }
      return ok(reviewShape(state, review));
    });
  },
  [`PUT ${repo}/pulls/{pull_number}/reviews/{review_id}`]: async (desk, { params: [number, id], body }) =>
    await desk.store.change((state) => {
      const found = state.pulls
        .find((one) => one.number === Number(number))
        ?.reviews.find((one) => one.id === Number(id));
      if (found === undefined) return missing();
      found.body = String(body.body);
      return ok(reviewShape(state, found));
    }),
  [`GET ${repo}/commits/{ref}/check-runs`]: async ({ store }, { params: [head] }) => {
    const all = (await store.read()).checks.filter((check) => check.head === head);
    const latest = new Map(all.map((check) => [check.name, check]));
    const runs = [...latest.values()].map(runShape).toReversed();
    return { status: 200, body: { total_count: runs.length, check_runs: runs }, list: "check_runs" };
  },
  [`GET ${repo}/commits/{ref}/status`]: async (_, { params: [sha] }) => ({
    status: 200,
    body: { state: "pending", sha, total_count: 0, statuses: [] },
    list: "statuses",
  }),
  [`GET ${repo}/collaborators/{username}/permission`]: async ({ store }, { params: [name = ""] }) => {
    const { users } = await store.read();
    const user = Object.hasOwn(users, name) ? users[name] : undefined;
    if (user === undefined) return missing();
    const coarse = { none: "none", read: "read", triage: "read", write: "write", maintain: "write", admin: "admin" };
    return ok({ permission: coarse[user.permission], role_name: user.permission });
  },
};

const VERDICTS: Record<string, StoredReview["state"]> = {
  APPROVE: "approved",
  REQUEST_CHANGES: "changes_requested",
  COMMENT: "commented",
};

/** GraphQL, for the documents that we send. */
export async function graphql(
  desk: FakeContext,
  query: unknown,
  variables: Record<string, unknown>,
): Promise<StandInAnswer> {
  const state = await desk.store.read();
  if (query === DOCUMENTS.viewer) return ok({ data: { viewer: { login: state.me } } });
  if (query === DOCUMENTS.threads) {
    const pull = state.pulls.find(({ number }) => number === variables.number);
    if (pull === undefined)
      return ok({ data: null, errors: [{ type: "NOT_FOUND", message: "Could not resolve to a PullRequest" }] });
    const firsts = pull.comments.filter((one) => one.kind === "line" && firstOf(pull, one) === one);
    const from = Number(variables.after ?? 0);
    const nodes = firsts.slice(from, from + 100).map(({ id, thread }) => ({
      id: thread?.id,
      isResolved: thread?.resolved === true,
      comments: { nodes: [{ databaseId: id }] },
    }));
    const pageInfo = { hasNextPage: from + 100 < firsts.length, endCursor: String(from + 100) };
    return ok({ data: { repository: { pullRequest: { reviewThreads: { pageInfo, nodes } } } } });
  }
  const { id } = variables;
  await desk.store.change(({ pulls }) => {
    for (const pull of pulls) {
      if (query === DOCUMENTS.ready && id === `PR_${pull.number}`) pull.draft = false;
      for (const { thread } of pull.comments)
        if (query === DOCUMENTS.resolve && thread?.id === id && thread) thread.resolved = true;
    }
  });
  return ok({ data: {} });
}

const ok = (body: unknown): StandInAnswer => ({ status: 200, body });
const list = (body: unknown[]): StandInAnswer => ({ status: 200, body, list: true });
const missing = () => no(404, "Not Found");

function no(status: number, message: string, errors?: unknown[]): StandInAnswer {
  return {
    status,
    body: { message, documentation_url: "https://docs.github.com/rest", ...(errors ? { errors } : {}) },
  };
}

function invalid(error: object): StandInAnswer {
  return no(422, "Validation Failed", [error]);
}

async function find(desk: FakeContext, number: number): Promise<StoredPull | null> {
  const isKnown = (await desk.store.read()).pulls.some((pull) => pull.number === number);
  return isKnown ? await settled(desk, number) : null;
}

async function single(desk: FakeContext, number: number, as: "single" | "item" = "single"): Promise<StandInAnswer> {
  const pull = await find(desk, number);
  return pull === null ? missing() : ok(await shapeOf(desk, await desk.store.read(), pull, as));
}

async function shapeOf(desk: FakeContext, state: FakeState, pull: StoredPull, as: "single" | "item") {
  const { head, base, branch } = await pullRequestRefsOf(desk, pull);
  const isAsked = as === "single" && pull.state === "open" && base !== null && branch !== null;
  const mergeable = isAsked ? await desk.repo.mergesCleanly(base, head) : null;
  return pullShape(state, pull, { head, base, mergeable, as });
}

async function change(
  desk: FakeContext,
  number: number,
  act: (pull: StoredPull) => void,
  as: "single" | "item" = "single",
): Promise<StandInAnswer> {
  if ((await find(desk, number)) === null) return missing();
  await desk.store.change(({ pulls }) => pulls.filter((pull) => pull.number === number).forEach(act));
  const answer = await single(desk, number, as);
  // A request for reviews is something new.
  return as === "item" ? { ...answer, status: 201 } : answer;
}

function add(names: string[], more: unknown): void {
  for (const name of Array.isArray(more) ? more : []) if (!names.includes(name)) names.push(name);
}

async function comments(
  desk: FakeContext,
  { params: [number], query }: StandInRequest,
  kind: StoredComment["kind"],
): Promise<StandInAnswer> {
  const state = await desk.store.read();
  const pull = state.pulls.find((one) => one.number === Number(number));
  if (pull === undefined) return missing();
  const since = query.get("since") ?? "";
  const found = pull.comments.filter((one) => one.kind === kind && one.updatedAt >= since);
  return list(found.map((one) => commentShape(state, pull, one)));
}

async function comment(
  desk: FakeContext,
  number: number,
  { body }: Record<string, unknown>,
  to?: number,
): Promise<StandInAnswer> {
  return await desk.store.change((state) => {
    const pull = state.pulls.find((one) => one.number === number);
    const target = pull?.comments.find(({ id }) => id === to);
    if (pull === undefined || (to !== undefined && target === undefined)) return missing();
    // GitHub takes answers to the first comment of a thread only.
    if (target !== undefined && firstOf(pull, target) !== target) return missing();
    const words = { author: state.me, body: String(body), at: nowText(desk.clock) };
    const made = addComment(state, pull, { ...words, target: target ?? null });
    return { status: 201, body: commentShape(state, pull, made) };
  });
}

async function edit(desk: FakeContext, id: number, { body }: Record<string, unknown>): Promise<StandInAnswer> {
  return await desk.store.change((state) => {
    for (const pull of state.pulls) {
      const found = pull.comments.find((one) => one.id === id);
      if (found === undefined) continue;
      Object.assign(found, { body: String(body), updatedAt: nowText(desk.clock) });
      return ok(commentShape(state, pull, found));
    }
    return missing();
  });
}
