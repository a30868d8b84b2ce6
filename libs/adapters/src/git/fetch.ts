import { GitError } from "./errors.ts";
import { noteMove } from "./own-moves.ts";
import type { Place } from "./place.ts";
import { remoteHead, requireRemote, talk, unreachable } from "./push.ts";
import { serialised } from "./queue.ts";
import { localBranch, resolveCommit } from "./refs.ts";

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
export function fetchBranch(place: Place, request: FetchRequest): Promise<{ commit: string }> {
  return serialised(place.commonDir, async () => {
    const { remote, signal, timeoutMs = TIMEOUT_MS } = request;
    await requireRemote(place, remote);
    const ref = await localBranch(place, request.branch);
    const name = ref.slice("refs/heads/".length);
    const tracking = `refs/remotes/${remote}/${name}`;
    const looks = request.keeps === "nothing";
    const what = looks ? ref : `+${ref}:${tracking}`;
    const args = ["fetch", "--quiet", "--no-auto-maintenance", ...ONLY_THIS, "--", remote, what];
    const late = AbortSignal.timeout(timeoutMs);
    const either = signal === undefined ? late : AbortSignal.any([signal, late]);
    const asked = async () => {
      // Asked first: what came after it holds it still, unless somebody put the branch elsewhere.
      const head = looks ? await remoteHead(place, remote, ref, { signal: either }) : null;
      return { head, result: await talk(place, { args, signal: either }) };
    };
    const { head, result } = await asked().catch((error: unknown) => {
      if (signal?.aborted === true || !late.aborted) throw error;
      throw unreachable(remote, `it did not answer within ${Math.ceil(timeoutMs / 1000)} s`);
    });
    if (/couldn't find remote ref/.test(result.stderr)) {
      throw new GitError("unknown-ref", `${remote} has no branch ${name}`);
    }
    if (result.code !== 0) throw unreachable(remote, result.stderr);
    if (looks) return { commit: await resolveCommit(place, head ?? ref) };
    const commit = await resolveCommit(place, tracking);
    noteMove(place, tracking, commit);
    return { commit };
  });
}
