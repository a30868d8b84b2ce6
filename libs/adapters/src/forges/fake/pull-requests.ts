import { failpoint } from "@anneal/system/failpoint";
import { ForgeError } from "../contract/errors.ts";
import { marked } from "../contract/marker.ts";
import type { Opened, OpenRequest, PullRequest, PullRequestChange, PullRequests } from "../contract/port.ts";
import { ask, type FakeContext, keyOf, look, pullView } from "./context.ts";
import { merge, settled } from "./merge.ts";
import { type FakeState, nextPull, pullIn, type StoredPull } from "./state.ts";

export function pullRequests(desk: FakeContext): PullRequests {
  const get = async (number: number) => {
    await settled(desk, number);
    const state = await look(desk);
    return pullView(desk, state, pullIn(state, number));
  };
  return {
    get,
    open: (request) => open(desk, request, get),
    async fromBranch(branch) {
      const numbers = (await look(desk)).pulls.filter((pull) => pull.branch === branch).map(({ number }) => number);
      return Promise.all(numbers.reverse().map(get));
    },
    async update(number, change) {
      failpoint("forge.update.before");
      await ask(desk, (state) => edit(state, ours(state, number), change));
      failpoint("forge.update.after");
      return get(number);
    },
    async markReady(number) {
      failpoint("forge.ready.before");
      await ask(desk, (state) => {
        ours(state, number).draft = false;
      });
      failpoint("forge.ready.after");
      return get(number);
    },
    merge: async (number, request) => merge(desk, number, (await look(desk)).me, request),
  };
}

async function open(
  desk: FakeContext,
  request: OpenRequest,
  get: (number: number) => Promise<PullRequest>,
): Promise<Opened> {
  const { [request.branch]: head = null, [request.base]: base = null } = await desk.repo.heads(
    request.branch,
    request.base,
  );
  if (head === null || base === null) {
    const missing = head === null ? request.branch : request.base;
    throw new ForgeError("invalid", `the branch ${missing} is not on the forge: push it first`);
  }
  for (const { number, branch } of (await look(desk)).pulls) if (branch === request.branch) await settled(desk, number);
  failpoint("forge.open.before");
  const { number, outcome } = await ask(desk, (state) => findOrCreate(state, request, head));
  failpoint("forge.open.after");
  return { pull: await get(number), outcome };
}

function findOrCreate(
  state: FakeState,
  request: OpenRequest,
  head: string,
): { number: number; outcome: Opened["outcome"] } {
  const { key, branch, base, title, draft, labels, reviewers } = request;
  const body = marked("pull-request", key, request.body);
  const fromHere = state.pulls.filter((pull) => pull.branch === branch);
  // One that was closed or merged meanwhile still is the one that was asked for: a second would be a double.
  const known = fromHere.findLast((pull) => keyOf(state, "pull-request", pull) === key);
  const standing = known ?? fromHere.find((pull) => pull.state === "open" && pull.base === base);
  if (standing !== undefined) {
    const isOurs = keyOf(state, "pull-request", standing) !== null;
    if (!isOurs) return { number: standing.number, outcome: "theirs" };
    // Of an earlier loop over the same branch: from now on it answers to the new key.
    const text = known === undefined ? { title, body: request.body } : {};
    edit(state, standing, { ...text, labels: labels ?? [], reviewers: reviewers ?? [] }, key);
    return { number: standing.number, outcome: "found" };
  }
  const number = nextPull(state);
  const author = state.me;
  const lists = { labels: [...(labels ?? [])], reviewers: [...(reviewers ?? [])], comments: [], reviews: [] };
  const fresh = { state: "open", mergeCommit: null, merging: null } as const;
  state.pulls.push({ number, title, body, draft, base, branch, head, author, ...fresh, ...lists });
  return { number, outcome: "created" };
}

function edit(state: FakeState, pull: StoredPull, change: PullRequestChange, newKey?: string): void {
  const { title, body, base, labels = [], reviewers = [] } = change;
  const key = newKey ?? keyOf(state, "pull-request", pull);
  if (title !== undefined) pull.title = title;
  if (base !== undefined) pull.base = base;
  if (body !== undefined && key !== null) pull.body = marked("pull-request", key, body);
  pull.labels = [...new Set([...pull.labels, ...labels])];
  pull.reviewers = [...new Set([...pull.reviewers, ...reviewers])];
}

function ours(state: FakeState, number: number): StoredPull {
  const pull = pullIn(state, number);
  if (keyOf(state, "pull-request", pull) !== null) return pull;
  throw new ForgeError("not-ours", `pull request ${number} belongs to ${pull.author}: it is left as it is`);
}
