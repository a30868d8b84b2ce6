import { pathToFileURL } from "node:url";
import type { Clock } from "../../ports.ts";
import { ForgeError, RateLimited } from "../contract/errors.ts";
import { keyIn, type MarkedKind, unmarked } from "../contract/marker.ts";
import type { Comment, PullRequest, Review } from "../contract/port.ts";
import type { BareRepo } from "./bare-repo.ts";
import type { FakeState, FakeStore, StoredComment, StoredPull, StoredReview } from "./state.ts";

/** What every request to the fake forge needs. */
export interface FakeContext {
  store: FakeStore;
  repo: BareRepo;
  clock: Clock;
}

/** A look at the state, unless the forge turns us away. */
export async function look({ store, clock }: FakeContext): Promise<FakeState> {
  const state = await store.read();
  turnAway(state, clock);
  return state;
}

/** A change that we ask for. Its answer can get lost, and then nobody here knows whether it was made. */
export async function ask<T>({ store, clock }: FakeContext, act: (state: FakeState) => T): Promise<T> {
  const { result, lost } = await store.change((state) => {
    turnAway(state, clock);
    const done = act(state);
    const lost = state.answersToLose > 0;
    if (lost) state.answersToLose -= 1;
    return { result: done, lost };
  });
  if (lost) throw new ForgeError("unavailable", "the forge did not answer: try again; nothing is done twice");
  return result;
}

function turnAway({ limitedUntil }: FakeState, clock: Clock): void {
  if (limitedUntil !== null && clock.now() < limitedUntil) throw new RateLimited(limitedUntil);
}

export function nowText(clock: Clock): string {
  return new Date(clock.now()).toISOString();
}

/** Our key in something that our own account wrote. */
export function keyOf(state: FakeState, kind: MarkedKind, thing: { author: string; body: string }): string | null {
  return thing.author === state.me ? keyIn(kind, thing.body) : null;
}

/** Where a pull request stands: its head, final once it is closed, and the two branches if they are there. */
export interface PullRequestRefs {
  head: string;
  branch: string | null;
  base: string | null;
}

export async function pullRequestRefsOf({ repo }: FakeContext, pull: StoredPull): Promise<PullRequestRefs> {
  const { [pull.branch]: branch = null, [pull.base]: base = null } = await repo.heads(pull.branch, pull.base);
  return { head: pull.state === "open" ? (branch ?? pull.head) : pull.head, branch, base };
}

export async function pullView(desk: FakeContext, state: FakeState, pull: StoredPull): Promise<PullRequest> {
  const { branch, head: _, merging: __, comments: ___, reviews: ____, ...rest } = pull;
  const standing = await pullRequestRefsOf(desk, pull);
  return {
    ...rest,
    ...shown(state, "pull-request", pull),
    url: urlOf(desk, pull.number),
    head: { branch, sha: standing.head, ...(isGone(pull, standing) ? { gone: true as const } : {}) },
    mergeability: await mergeability(desk, pull, standing),
  };
}

function isGone({ state }: StoredPull, { branch }: PullRequestRefs): boolean {
  return state === "open" && branch === null;
}

export function commentView(desk: FakeContext, state: FakeState, number: number, comment: StoredComment): Comment {
  const url = `${urlOf(desk, number)}#comment-${comment.id}`;
  return { ...comment, ...shown(state, "comment", comment), isBot: isBot(state, comment.author), url };
}

export function reviewView(state: FakeState, review: StoredReview & { state: Review["state"] }): Review {
  return { ...review, ...shown(state, "review", review), isBot: isBot(state, review.author) };
}

export function urlOf({ store }: FakeContext, number: number): string {
  return `${pathToFileURL(store.dir).href}/pull/${number}`;
}

function shown(state: FakeState, kind: MarkedKind, thing: { author: string; body: string }) {
  const key = keyOf(state, kind, thing);
  return { key, body: key === null ? thing.body : unmarked(thing.body) };
}

async function mergeability(
  { repo }: FakeContext,
  pull: StoredPull,
  { branch, base }: PullRequestRefs,
): Promise<PullRequest["mergeability"]> {
  if (pull.state !== "open" || base === null || branch === null) return "unknown";
  return (await repo.mergesCleanly(base, branch)) ? "clean" : "conflict";
}

function isBot({ users }: FakeState, name: string): boolean {
  return Object.hasOwn(users, name) && users[name]?.bot === true;
}
