import { agentAddress } from "./agent-mark.ts";
import { tryChange } from "./locks.ts";
import type { Place } from "./place.ts";
import { serialised } from "./queue.ts";
import { logOfRef, movesSince } from "./ref-log.ts";

/** An entry of the stash, which all work trees share; git names the older ones in the log of the stash only. */
export interface Stashed {
  commit: string;
  why: string;
}

const STASH = "refs/stash";

/** Oldest first. */
export function stashNow(place: Place): Stashed[] {
  return movesSince(logOfRef(place, STASH), undefined).map(({ to, why }) => ({ commit: to, why }));
}

/** Takes entries out of the stash that whoever works in this worktree has put there since then. */
export function dropStashed(place: Place, then: { stash: readonly Stashed[] }): Promise<void> {
  const known = new Set(then.stash.map(({ commit }) => commit));
  const own = agentAddress(place.root);
  return serialised(place.commonDir, async () => {
    const entries = movesSince(logOfRef(place, STASH), undefined).reverse();
    // From the oldest on: the numbers of newer ones stay the same.
    for (const [at, { to, by }] of [...entries.entries()].reverse()) {
      if (by === own && !known.has(to)) await drop(place, at, to);
    }
  });
}

/** Git takes a number only. Where a person has changed the stash meanwhile, what it took instead goes back. */
async function drop(place: Place, at: number, commit: string): Promise<void> {
  const { stdout } = await tryChange(place, { args: ["stash", "drop", `stash@{${at}}`] });
  const taken = /\(([0-9a-f]{40,64})\)/.exec(stdout.toString("latin1"))?.[1];
  if (taken === undefined || taken === commit) return;
  const why = await tryChange(place, { args: ["log", "-1", "--format=%s", taken] });
  await tryChange(place, { args: ["stash", "store", "-m", why.stdout.toString("utf8").trim(), taken] });
}
