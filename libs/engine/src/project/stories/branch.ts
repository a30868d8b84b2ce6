import { GitError, type Repo } from "@anneal/adapters/git";
import type { StoryFile } from "@anneal/adapters/stories";
import { isStoryDone, storyBranch } from "@anneal/core/stories";
import type { ItemRef, LoopState, Story } from "@anneal/types";
import { UsageError } from "../../errors.ts";
import { isEarned } from "../by-hand.ts";
import { defaultBranchOf } from "../default-branch.ts";
import { bringToBranch } from "../handed-back.ts";
import { folderOf, keyOf } from "../item-key.ts";
import type { PrepareRequest } from "../kind.ts";
import { historyOf, loopsOf } from "../loop-history.ts";
import { contains, outermost } from "../outermost.ts";
import type { ProjectParts } from "../prepare.ts";
import { type Landed, landedOn } from "../pull-requests/landed.ts";
import type { ProjectStore } from "../store-log.ts";
import { findingsAt } from "./findings.ts";
import { knownStories } from "./known.ts";

/** Where a story's loop takes place. */
export interface StoryBounds {
  branch: string;
  base: string;
  /** The branch that the story is compared with and goes into, such as `main`. */
  into: string;
  /** Null for work that is still to be done; a branch that is there already starts at its review. */
  head: string | null;
}

type Started = Extract<PrepareRequest["before"], { started: unknown }>;

export async function storyBounds(
  parts: ProjectParts,
  story: StoryFile,
  { before, wish, signal }: PrepareRequest,
): Promise<StoryBounds> {
  const item = { kind: "story", id: story.story.id } as const;
  if ("started" in before) return await goingOn(parts, item, before);
  const against = await baseOf(parts, story, { wanted: wish.base, signal });
  const branch = storyBranch(story.story);
  const { status } = story.story;
  if (status === "review") return await implemented(parts.repo, story, { branch, against });
  if (status === "blocked" || status === "skipped") {
    const ways = `write \`status: review\` once the work is on ${branch}, or \`status: pending\` to have it built`;
    throw new UsageError(`${story.file}: story ${item.id} is ${status}; ${ways}`);
  }
  const base = against.commit;
  await freshBranch(parts, story, { item, branch, base, earlierLoops: before.earlierLoops });
  return { branch, base, into: against.name, head: null };
}

/** What a loop was begun with holds to its end, whatever the file says meanwhile. */
async function goingOn(
  { repo, store }: ProjectParts,
  { id }: ItemRef,
  { started, state }: Started,
): Promise<StoryBounds> {
  const branch = store.loop(started.loopId)?.summary.branch ?? `story-${id}`;
  const stands = await tipOf(repo, branch);
  if (!isExpected(stands, state)) {
    const what = stands === null ? "is gone" : "has moved";
    throw new UsageError(
      `the branch ${branch} ${what} since its loop saw it last: put it back, or end the loop with anneal stop story:${id}`,
    );
  }
  return { branch, base: started.base, into: started.into ?? "", head: started.head };
}

/** Commits that somebody else made meanwhile would be lost, or pass unseen. */
function isExpected(stands: string | null, state: LoopState): boolean {
  const plan = state.stage === "committing" ? state.plan : state.stage === "waiting-for-human" ? state.kept.plan : null;
  if (plan !== null && plan !== undefined) return stands !== null;
  const documents = typeof state.documents === "object" ? state.documents.commit : null;
  return stands !== null && [state.head ?? state.base, documents].includes(stands);
}

/** The story says that it is ready for its review: its branch is taken as it stands. */
async function implemented(
  repo: Repo,
  { file, story }: StoryFile,
  { branch, against }: { branch: string; against: Against },
): Promise<StoryBounds> {
  const says = `${file}: story ${story.id} says \`status: review\`, but`;
  const head = await tipOf(repo, branch);
  if (head === null) throw new UsageError(`${says} there is no branch ${branch}`);
  const base = await repo.mergeBase(against.commit, head);
  if (base === head) throw new UsageError(`${says} ${branch} has no commits that ${against.name} does not have`);
  const [old, ...more] = (await findingsAt(repo, story.id, head)).slice(
    (await findingsAt(repo, story.id, base)).length,
  );
  if (old !== undefined) {
    const all = [old, ...more].join(" ");
    throw new UsageError(
      `${says} ${branch} holds findings of earlier reviews, which a fresh reviewer must not see: git rm ${all}`,
    );
  }
  return { branch, base, into: against.name, head };
}

/** A new loop starts its branch at the base. What an earlier loop left there is kept; what somebody else did is refused. */
async function freshBranch(
  { repo, store }: ProjectParts,
  { file, story }: StoryFile,
  { item, branch, base, earlierLoops }: { item: ItemRef; branch: string; base: string; earlierLoops: number },
): Promise<void> {
  const tip = await tipOf(repo, branch);
  if (tip === null || tip === base) return await repo.placeBranch({ branch, from: null, to: base });
  if ((await repo.mergeBase(base, tip)) === tip) return await repo.moveBranch({ branch, from: tip, to: base });
  const ours = loopsOf(store, item).some((row) => {
    const { head, documents } = historyOf(store, row).state;
    return head === tip || (typeof documents === "object" && documents.commit === tip);
  });
  if (!ours) {
    throw new UsageError(
      `${file}: the branch ${branch} holds commits already; write \`status: review\` to have story ${story.id} reviewed as it stands there, or give it another \`branch\``,
    );
  }
  await repo.keepTree(`refs/anneal/kept/${folderOf(item)}/${earlierLoops}`, tip);
  await repo.placeBranch({ branch, from: tip, to: base });
}

interface Against {
  commit: string;
  name: string;
}

/**
 * What the story is compared with: the base branch as the remote has it, or as it is here where there is no remote.
 * Where the work of a story that this one depends on is not in there yet, this one builds on that, or on what took it in.
 */
async function baseOf(
  parts: ProjectParts,
  { file, story }: StoryFile,
  { wanted, signal }: { wanted: string | undefined; signal: AbortSignal },
): Promise<Against> {
  const { repo, store } = parts;
  const known = await baseBranch({ repo, store }, wanted);
  const keyed = (id: string) => keyOf({ kind: "story", id });
  const landed = await landedOn(parts, { keys: story.dependsOn.map(keyed), base: known, signal });
  const needed: Landed[] = [...landed.values()].filter((one) => one !== null);
  const fetched = needed.find(({ name }) => name === known.name);
  const base = fetched === undefined ? known : { name: fetched.name, commit: fetched.tip };
  for (const { id, story: other } of await knownStories(repo.root)) {
    if (other === null || !story.dependsOn.includes(id) || landed.has(keyed(id))) continue;
    const name = storyBranch(other.story);
    if (isFinishedByHand(store, other.story)) await bringToBranch(parts, { kind: "story", id }, name);
    const commit = await tipOf(repo, name);
    if (commit !== null && !(await contains(repo, base.commit, commit))) needed.push({ commit, name, tip: commit });
  }
  const [top, ...rest] = await outermost(repo, needed);
  if (top === undefined) return base;
  if (rest.length === 0) return { commit: top.tip, name: top.name };
  const names = [top, ...rest].map(({ name }) => name).join(" and ");
  throw new UsageError(`${file}: story ${story.id} depends on ${names}, which are not merged yet: merge them first`);
}

/** A story that no loop finished and that is said to be done: what somebody committed may be where its loop had worked. */
function isFinishedByHand(store: ProjectStore, { id, status }: Story): boolean {
  const last = loopsOf(store, { kind: "story", id }).at(-1);
  return last !== undefined && isStoryDone(status) && last.stage === "ended" && !isEarned(last);
}

/** The base branch by the name that a person uses for it. */
export async function baseBranch(
  { repo, store }: { repo: Repo; store: ProjectStore | null },
  wanted: string | undefined,
): Promise<Against> {
  const ref = wanted ?? (await defaultBranchOf({ repo, store }));
  const name = ref.replace(/^(?:refs\/heads\/|(?:refs\/remotes\/)?origin\/)/, "");
  for (const candidate of [`refs/remotes/origin/${name}`, ref]) {
    const commit = await resolved(repo, candidate);
    if (commit !== null) return { commit, name };
  }
  throw new UsageError(`there is no base branch ${ref}: name one that exists with --base`);
}

function tipOf(repo: Repo, branch: string): Promise<string | null> {
  return resolved(repo, `refs/heads/${branch}`);
}

async function resolved(repo: Repo, ref: string): Promise<string | null> {
  try {
    return await repo.resolve(ref);
  } catch (error) {
    if (error instanceof GitError && error.kind === "unknown-ref") return null;
    throw error;
  }
}
