import { ForgeError, type PullRequest } from "@anneal/adapters/forges";
import { leftBy } from "@anneal/core";
import { GitError, type Repo } from "@anneal/git";
import { LastingError } from "../../errors/errors.ts";
import { keyOfRow } from "../../history/item-key.ts";
import { currentLoop, historyOf } from "../../history/loop-history.ts";
import type { LoopSummary } from "../../history/summary.ts";
import type { ProjectParts } from "../../items/prepare.ts";
import type { LogLoopRow } from "../../log/index.ts";
import { isPartOf } from "../../work/part-of.ts";
import { connect, type ForgeConnection } from "./forge.ts";
import { unlessMissing } from "./rate-limit.ts";
import { isTakenIn } from "./taken-in.ts";

type Parts = Pick<ProjectParts, "repo" | "store" | "clock">;
type Row = LogLoopRow<LoopSummary>;

interface Needed {
  /** Keys of the items that something builds on. */
  keys: readonly string[];
  /** Where that would begin, and the name of that branch. */
  base: { commit: string; name: string };
  signal: AbortSignal;
}

/** What was merged on the forge and is not in the base as it is known here. */
export interface Landed {
  /** What has to be in whatever builds on it. */
  commit: string;
  /** The branch that took it in. */
  name: string;
  /** Where that branch stands on the remote by now. */
  tip: string;
}

/** By key, those items whose work has been merged: null where the base has it, else where it is. Only for the latter something is fetched. */
export async function landedOn(parts: Parts, { keys, base, signal }: Needed): Promise<Map<string, Landed | null>> {
  const { repo, store } = parts;
  const found = new Map<string, Landed | null>();
  for (const key of keys) {
    const row = currentLoop(store, key);
    const { pr = null } = row?.summary ?? {};
    if (row === null || pr === null) continue;
    const { state } = historyOf(store, row);
    if (await isPartOf(repo, pr.mergedHead ?? leftBy(state), base.commit)) found.set(key, null);
    else {
      const landing = await landingOf(parts, row, signal).catch((error: unknown) => {
        if (!(error instanceof ForgeError)) throw error;
        throw new LastingError(`${unknown(row)} (${error.message}); run it again when the forge answers`, {
          cause: error,
        });
      });
      if (landing === null) continue;
      const { name, commit } = landing;
      const isKnown = await isPartOf(repo, commit, base.commit);
      found.set(key, isKnown ? null : { name, commit, tip: await upToDate(repo, landing, signal) });
    }
  }
  return found;
}

/** Where work goes that was to go into a branch: if that was another item's and is merged, to where it went; `landed` is what went there. */
export async function leadsTo(
  parts: Parts,
  branch: string,
  signal: AbortSignal,
): Promise<{ into: string; landed: { head: string; as: string }[] }> {
  const row = ownerOf(parts, branch);
  const merge = row === undefined ? null : await mergeOf(parts, row);
  if (merge === null) return { into: branch, landed: [] };
  const { name, commit } = await followed(parts, merge, signal);
  return { into: name, landed: [{ head: merge.pull.head.sha, as: commit }] };
}

/** The loop that worked on a branch. */
function ownerOf({ store }: Parts, branch: string): Row | undefined {
  return store.loops({ branch }).at(-1);
}

async function landingOf(parts: Parts, row: Row, signal: AbortSignal): Promise<Landing | null> {
  const merge = await mergeOf(parts, row);
  return merge === null ? null : await followed(parts, merge, signal);
}

interface Merge {
  key: string;
  pull: PullRequest;
  place: ForgeConnection;
}

/** The merged pull request of a loop; null where it is not merged. */
async function mergeOf({ repo, clock }: Parts, row: Row): Promise<Merge | null> {
  const { pr = null, outcome } = row.summary;
  if (pr === null) return null;
  const place = await connect(repo, clock);
  const pull = "none" in place ? null : await unlessMissing(place.forge.get(pr.number));
  if (!("none" in place) && pull?.state === "merged") return { key: keyOfRow(row), pull, place };
  if (outcome !== "merged" && !("none" in place && place.isLost === true)) return null;
  const why = "none" in place ? place.none : `${place.remote} does not have it any more`;
  const way = "check git remote -v, or fetch the branch that it was merged into, then run it again";
  throw new LastingError(`${unknown(row)}, because ${why}; ${way}`);
}

function unknown(row: Row): string {
  return `this builds on pull request ${row.summary.pr?.number} of ${keyOfRow(row)}, but it is unknown whether that pull request is merged`;
}

interface Landing {
  key: string;
  name: string;
  commit: string;
  place: ForgeConnection;
}

/** Where a merge is by now: the branch of another item that took it in may have been merged on, and then nothing leads on from there. */
async function followed(
  parts: Parts,
  { key, pull, place }: Merge,
  signal: AbortSignal,
  seen: readonly string[] = [],
): Promise<Landing> {
  const here = { key, name: pull.base, commit: pull.mergeCommit ?? pull.head.sha, place };
  const below = ownerOf(parts, here.name);
  if (below === undefined || seen.includes(here.name)) return here;
  const next = await mergeOf(parts, below);
  if (next === null) return here;
  const { repo } = parts;
  const { remote } = place;
  const commits = [here.commit, pull.head.sha];
  const merged = next.pull.head.sha;
  const taken = await isTakenIn(repo, { commits, merged, remote, signal });
  const on = await followed(parts, next, signal, [...seen, here.name]);
  if (taken === true) return { ...on, key };
  const tip = await upToDate(repo, on, signal);
  for (const commit of commits) if (await isPartOf(repo, commit, tip)) return { ...on, key, commit };
  const work = pull.head.sha.slice(0, 12);
  const why =
    taken === false
      ? "without it"
      : `but nobody can tell whether that included it, because ${remote} does not have ${merged}`;
  const way = `merge ${work} into ${on.name} (git merge, then git push), or remove ${key} from the dependencies`;
  throw new LastingError(
    `pull request ${pull.number} of ${key} was merged into ${here.name}, which was merged into ${on.name} ${why}: ${way}`,
  );
}

/** Fetches what took the work in: work must never start from a base that lacks it, nor from one that forgets what the person has. */
async function upToDate(repo: Repo, { key, name, commit, place }: Landing, signal: AbortSignal): Promise<string> {
  const { remote } = place;
  const refused = (why: string, cause?: unknown) =>
    new LastingError(
      `this builds on ${key}, which was merged into ${name} on ${remote}, but ${why}, then run it again`,
      {
        cause,
      },
    );
  const { commit: tip } = await repo.fetchBranch({ remote, branch: name, signal }).catch((error: unknown) => {
    throw error instanceof GitError && !signal.aborted ? refused(error.message, error) : error;
  });
  if (!(await isPartOf(repo, commit, tip))) {
    throw refused(`${name} on ${remote} does not contain ${commit.slice(0, 12)} any more; find out why`);
  }
  const local = await unlessGone(repo.resolve(`refs/heads/${name}`));
  if (local === null || (await isPartOf(repo, local, tip)) || (await isPartOf(repo, tip, local))) return tip;
  throw refused(`${name} here and ${name} on ${remote} have diverged; merge them with git pull and git push`);
}

/** Null for a ref that is not there. */
function unlessGone<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (error instanceof GitError && error.kind === "unknown-ref") return null;
    throw error;
  });
}
