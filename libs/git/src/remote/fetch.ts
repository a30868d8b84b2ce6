import { join } from "node:path";
import { localBranch, resolveCommit } from "../read/refs/refs.ts";
import { complaint, GitError } from "../run/errors.ts";
import { serialised } from "../run/queue.ts";
import type { RepoLocation } from "../run/repo-location.ts";
import { type GitResult, runGit } from "../run/run.ts";
import { remoteHead, requireRemote, talk, unreachable, withoutPasswords } from "./push.ts";

export interface FetchRequest {
  /** The name of a configured remote. */
  remote: string;
  /** The full or short name that the branch has there. */
  branch: string;
  /** How long the remote may take. */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** `nothing` is for who only looks: the commits come here, and no ref moves. */
  keeps?: "tracking" | "nothing";
}

const TIMEOUT_MS = 120_000;

/** Whatever the settings of a remote say, one ref is written: no local branch, no tag, and nothing is pruned. */
const ONLY_THIS = ["--refmap=", "--no-tags", "--no-prune", "--no-recurse-submodules", "--no-write-fetch-head"];

/** Brings a branch of a remote here, under its remote-tracking name only, and gives where it stands. Kind `unknown-ref` where it is not there. */
export function fetchBranch(location: RepoLocation, request: FetchRequest): Promise<{ commit: string }> {
  return serialised(location.commonDir, async () => {
    const { remote } = request;
    await requireRemote(location, remote);
    const ref = await localBranch(location, request.branch);
    const name = ref.slice("refs/heads/".length);
    const tracking = `refs/remotes/${remote}/${name}`;
    const looks = request.keeps === "nothing";
    const { head, code, stderr } = await inTime(request, async (signal) => {
      // Asked first: what came after it holds it still, unless somebody put the branch elsewhere.
      const head = looks ? await remoteHead(location, remote, ref, { signal }) : null;
      return { head, ...(await fetching(location, remote, looks ? ref : `+${ref}:${tracking}`, signal)) };
    });
    if (/couldn't find remote ref/.test(stderr)) throw new GitError("unknown-ref", `${remote} has no branch ${name}`);
    if (code !== 0) throw unreachable(remote, stderr);
    if (looks) return { commit: await resolveCommit(location, head ?? ref) };
    const commit = await resolveCommit(location, tracking);
    return { commit };
  });
}

export type FetchCommitRequest = Omit<FetchRequest, "branch"> & { commit: string };

/** Brings a commit here that no branch may lead to any more; no ref moves. Kind `unknown-ref` where the remote does not give it out. */
export async function fetchCommit(location: RepoLocation, request: FetchCommitRequest): Promise<void> {
  const { remote, commit } = request;
  // A name or a refspec would bring, or write, something else.
  if (!/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(commit)) throw notGiven(remote, commit);
  if (await isHere(location, commit)) return;
  await serialised(location.commonDir, async () => {
    await requireRemote(location, remote);
    const { code, stderr } = await inTime(request, (signal) => fetching(location, remote, commit, signal));
    if (/not our ref|unadvertised object/.test(stderr)) throw notGiven(remote, commit);
    if (code !== 0) throw unreachable(remote, stderr);
  });
}

/**
 * Brings the commit that a submodule is to be at, as `git submodule update` does: with all that its remote has, or else by its id,
 * and by fewer protocols, since the address came with the repository.
 */
export async function fetchSubmodule(
  { root }: Pick<RepoLocation, "root">,
  path: string,
  commit: string,
): Promise<void> {
  const inside = { root: join(root, path) };
  const args = ["fetch", "--quiet", "--no-auto-maintenance", "--no-recurse-submodules"];
  let said = "";
  for (const wanted of [[], ["origin", commit]]) {
    const call = { args: [...args, ...wanted], env: { GIT_PROTOCOL_FROM_USER: "0" } };
    const result = await inTime({ remote: `the submodule ${path}` }, (signal) => talk(inside, { ...call, signal }));
    said += withoutPasswords(result.stderr);
    if (await isHere(inside, commit)) return;
  }
  const why = `the submodule ${inside.root} must be at ${commit.slice(0, 12)}, which could not be fetched`;
  const advice = `get it with git -C ${root} submodule sync -- ${path} and git -C ${root} submodule update --init -- ${path}`;
  throw new GitError("unreachable", `${why} (${complaint(said)}): ${advice}`, { cause: new Error(said) });
}

export async function isHere({ root }: Pick<RepoLocation, "root">, commit: string): Promise<boolean> {
  return (await runGit({ cwd: root, args: ["cat-file", "-e", `${commit}^{commit}`] })).code === 0;
}

function notGiven(remote: string, commit: string): GitError {
  return new GitError("unknown-ref", `${remote} does not have ${commit.slice(0, 12)}`);
}

async function inTime<T>(
  { remote, signal, timeoutMs = TIMEOUT_MS }: Omit<FetchRequest, "branch">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = AbortSignal.timeout(timeoutMs);
  return await work(signal === undefined ? late : AbortSignal.any([signal, late])).catch((error: unknown) => {
    if (signal?.aborted === true || !late.aborted) throw error;
    throw unreachable(remote, `it did not answer within ${Math.ceil(timeoutMs / 1000)} s`);
  });
}

function fetching(location: RepoLocation, remote: string, refspec: string, signal: AbortSignal): Promise<GitResult> {
  return talk(location, {
    args: ["fetch", "--quiet", "--no-auto-maintenance", ...ONLY_THIS, "--", remote, refspec],
    signal,
  });
}
