import type { Repo } from "@anneal/git";
import { isPartOf } from "../../work/part-of.ts";
import { type Landing, missingFromBase, tipOn } from "./missing-from-base.ts";

export interface PushJob {
  /** The item's key. */
  key: string;
  remote: string;
  /** The same here and there. */
  branch: string;
  /** The branch on the forge that takes the work in. */
  base: string;
  /** What has come there as another commit. */
  landed?: readonly Landing[];
  /** Why that branch is not there, where it is one of ours that we keep back. */
  keptBack?: string | null;
  /** The commit that the work starts from. */
  from: string;
  head: string;
  /** Commits that loops of this item left on the branch before: those may be replaced. */
  ours: readonly string[];
}

/** Brings exactly this head to the remote. What others have pushed there is never replaced; what stands there already is done. */
export async function pushHead(main: Repo, job: PushJob, signal: AbortSignal): Promise<{ refused: string } | null> {
  const { remote, branch, head } = job;
  const behind = await lackingBase(main, job, signal);
  if (behind !== null) return { refused: behind };
  const there = await main.remoteHead(remote, branch, { signal });
  if (there === head) return null;
  const known = there === null || job.ours.includes(there) || (await anyHolds(main, there, [head, ...job.ours]));
  if (!known) {
    const advice = "check that commit, then delete the branch on the remote or use take-over";
    return { refused: `${branch} on ${remote} is at ${there}, which this loop did not push: ${advice}` };
  }
  await main.push({ remote, branch, commit: head, expected: there, signal });
  return null;
}

/** A push brings the whole history along: what lies below the work must be published already. */
async function lackingBase(main: Repo, job: PushJob, signal: AbortSignal): Promise<string | null> {
  const { key, remote, base, from, landed = [], keptBack = null } = job;
  const tip = await tipOn(main, { remote, branch: base, signal });
  if (tip === null)
    return keptBack ?? `${remote} has no branch ${base}: create it with git push ${remote} ${base}, then retry`;
  const lacking = await missingFromBase(main, {
    key,
    branch: job.branch,
    remote,
    base,
    tip,
    from,
    landed: async () => landed,
  });
  return lacking === null ? null : (keptBack ?? lacking);
}

async function anyHolds(main: Repo, commit: string, histories: readonly string[]): Promise<boolean> {
  for (const history of histories) if (await isPartOf(main, commit, history)) return true;
  return false;
}
