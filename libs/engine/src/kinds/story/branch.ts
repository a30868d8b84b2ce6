import type { StoryFile } from "@anneal/adapters/stories";
import { storyBranch } from "@anneal/core/stories";
import { GitError, type Repo } from "@anneal/git";
import type { ItemRef, Policy } from "@anneal/types";
import { UsageError } from "../../errors/errors.ts";
import { folderOf, keptRef, keyOf } from "../../history/item-key.ts";
import { historyOf, loopsOf } from "../../history/loop-history.ts";
import type { ProjectStore } from "../../history/store-log.ts";
import type { PrepareRequest } from "../../items/kind.ts";
import type { ProjectParts } from "../../items/prepare.ts";
import { outermost } from "../../work/outermost.ts";
import { isPartOf } from "../../work/part-of.ts";
import { defaultBranchOf } from "../../workspaces/default-branch.ts";
import { refuseUncommittedAt, takePersonsCommits } from "../../workspaces/item-workspace.ts";
import { type Landed, landedOn } from "../pull-request/landed.ts";
import { type EarlierRounds, earlierRoundsOf } from "./earlier-rounds.ts";
import { findingsAt } from "./findings.ts";
import { knownStories } from "./known.ts";
import { lostWork } from "./lost-work.ts";
import { refuseTaken } from "./own-branch.ts";

/** Where a story's loop works. */
export interface StoryBounds {
  branch: string;
  base: string;
  /** The branch that the story is compared with and goes into, such as `main`. */
  into: string;
  /** Null for work that is still to be done; a branch that is there already starts at its review. */
  head: string | null;
}

type Started = Extract<PrepareRequest["before"], { started: unknown }>;
/** What can be read while somebody else runs the project; without a store nothing has run yet. */
type Reading = Pick<ProjectParts, "repo"> & { store: ProjectStore | null };

/** How a new loop of a story begins. */
export interface StoryStart {
  bounds: StoryBounds;
  counted: EarlierRounds;
}

export interface Beginning {
  /** The stories that it may depend on. */
  known: readonly StoryFile[];
  base: string | undefined;
  limits: Policy["limits"];
  /** Where on the forge the pull requests of items were merged; without it nobody is asked. */
  landed?: (keys: string[], base: Against) => Promise<Map<string, Landed | null>>;
}

/** Decides how a new loop of a story begins, or refuses it. Nothing moves yet. */
export async function storyStart(
  reading: Reading,
  file: StoryFile,
  { limits, ...where }: Beginning,
): Promise<StoryStart> {
  const { repo, store } = reading;
  const { id, status } = file.story;
  const item = { kind: "story", id } as const;
  const branch = storyBranch(file.story);
  const counted = earlierRoundsOf(store, file, limits);
  await refuseUncommittedAt(reading, item);
  const against = await baseOf(reading, file, where);
  await refuseTaken(reading, file, against.name);
  if (status === "review") {
    const bounds = await implemented(repo, file, { branch, against, head: await tipOf(repo, branch) });
    return { bounds, counted };
  }
  if (status === "blocked" || status === "skipped") {
    const ways = `write \`status: review\` when the work is on ${branch}, or \`status: pending\` to have it built`;
    throw new UsageError(`${file.file}: story ${id} is ${status}; ${ways}`);
  }
  const bounds = { branch, base: against.commit, into: against.name, head: null };
  await refuseOthersWork(reading, file, bounds);
  return { bounds, counted };
}

/** Where a loop works, with its branch made ready. */
export async function storyBounds(
  parts: ProjectParts,
  file: StoryFile,
  {
    before,
    overrides,
    limits,
    signal,
  }: Pick<PrepareRequest, "before" | "overrides" | "signal"> & Pick<Policy, "limits">,
): Promise<StoryStart> {
  const item = { kind: "story", id: file.story.id } as const;
  if ("started" in before) return { bounds: goingOn(parts, item, before), counted: {} };
  const known = (await knownStories(parts.repo.root)).flatMap(({ story }) => story ?? []);
  for (const { story } of known.filter(({ story: { id } }) => file.story.dependsOn.includes(id))) {
    const needed = { kind: "story", id: story.id } as const;
    await takePersonsCommits(parts, { item: needed, branch: storyBranch(story), before });
    await refuseUncommittedAt(parts, needed);
  }
  const landed = (keys: string[], base: Against) => landedOn(parts, { keys, base, signal });
  const { bounds, counted } = await storyStart(parts, file, { known, base: overrides.base, limits, landed });
  if (bounds.head === null) await freshBranch(parts.repo, item, { ...bounds, earlierLoops: before.earlierLoops });
  return { bounds, counted };
}

/** What a loop was begun with holds to its end, whatever the file says meanwhile. */
function goingOn({ store }: ProjectParts, { id }: ItemRef, { started }: Started): StoryBounds {
  const branch = store.loop(started.loopId)?.summary.branch ?? `story-${id}`;
  return { branch, base: started.base, into: started.into ?? "", head: started.head };
}

/** The story says that it is ready for its review: its branch is taken as it stands. */
async function implemented(
  repo: Repo,
  { file, story }: StoryFile,
  { branch, against, head }: { branch: string; against: Against; head: string | null },
): Promise<StoryBounds> {
  const says = `${file}: story ${story.id} says \`status: review\`, but`;
  if (head === null) throw new UsageError(`${says} there is no branch ${branch}`);
  const base = await repo.mergeBase(against.commit, head);
  if (base === head) throw new UsageError(`${says} ${branch} has no commits that ${against.name} does not have`);
  const [old, ...more] = (await findingsAt(repo, story.id, head)).slice(
    (await findingsAt(repo, story.id, base)).length,
  );
  if (old !== undefined) {
    const all = [old, ...more].join(" ");
    throw new UsageError(
      `${says} ${branch} contains findings of earlier reviews, which a fresh reviewer must not see: git rm ${all}`,
    );
  }
  return { branch, base, into: against.name, head };
}

/** A new loop starts its branch at the base: what somebody else did there would be lost. */
async function refuseOthersWork(
  { repo, store }: Reading,
  { file, story: { id } }: StoryFile,
  { branch, base }: StoryBounds,
): Promise<void> {
  const tip = await tipOf(repo, branch);
  if (tip === null || (await isPartOf(repo, tip, base))) return;
  const loops = store === null ? [] : loopsOf(store, { kind: "story", id }).map((row) => historyOf(store, row).state);
  const ours = loops.some(
    ({ head, documents }) => head === tip || (typeof documents === "object" && documents.commit === tip),
  );
  if (ours) return;
  throw new UsageError(
    `${file}: the branch ${branch} already has commits; write \`status: review\` to have story ${id} reviewed as it is, or give it another \`branch\``,
  );
}

/** Puts the branch at the base. What an earlier loop left there is kept. */
async function freshBranch(
  repo: Repo,
  item: ItemRef,
  { branch, base, earlierLoops }: StoryBounds & { earlierLoops: number },
): Promise<void> {
  const tip = await tipOf(repo, branch);
  if (tip === null || tip === base) return await repo.updateBranch({ branch, from: null, to: base });
  if (await isPartOf(repo, tip, base)) return await repo.moveBranch({ branch, from: tip, to: base });
  await repo.keepTree(keptRef(folderOf(item), earlierLoops), tip);
  await repo.updateBranch({ branch, from: tip, to: base });
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
  reading: Reading,
  { file, story }: StoryFile,
  { known, base: wanted, landed: look }: Omit<Beginning, "limits">,
): Promise<Against> {
  const { repo, store } = reading;
  const here = await baseBranch({ repo, store }, wanted);
  const keyed = (id: string) => keyOf({ kind: "story", id });
  const landed = (await look?.(story.dependsOn.map(keyed), here)) ?? new Map<string, Landed | null>();
  const needed: Landed[] = [...landed.values()].filter((one) => one !== null);
  const fetched = needed.find(({ name }) => name === here.name);
  const base = fetched === undefined ? here : { name: fetched.name, commit: fetched.tip };
  for (const one of known) {
    const other = one.story;
    if (!story.dependsOn.includes(other.id) || landed.has(keyed(other.id))) continue;
    const name = storyBranch(other);
    const commit = await tipOf(repo, name);
    const lost = await lostWork(reading, { file: one, tip: commit, base });
    if (lost !== null) throw new UsageError(`${file}: story ${story.id} cannot start: ${lost}`);
    if (commit !== null && !(await isPartOf(repo, commit, base.commit))) needed.push({ commit, name, tip: commit });
  }
  const [top, ...rest] = await outermost(repo, needed);
  if (top === undefined) return base;
  if (rest.length === 0) return { commit: top.tip, name: top.name };
  const names = [top, ...rest].map(({ name }) => name).join(" and ");
  throw new UsageError(`${file}: story ${story.id} depends on ${names}, which are not merged yet: merge them first`);
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
  throw new UsageError(`no base branch ${ref}: name an existing branch with --base`);
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
