import type { Clock } from "@anneal/adapters";
import { ForgeError, isPassing, RateLimited } from "@anneal/adapters/forges";
import { GitError, type GitErrorKind } from "@anneal/git";
import { LastingError } from "../../errors/errors.ts";

const SHORTEST_MS = 1_000;

/** Does something at the forge; where it wants to be left alone for a while, that is waited for. */
export async function afterRateLimit<T>(clock: Clock, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      await clock.sleep(Math.max(SHORTEST_MS, error.retryAt - clock.now()), signal);
    }
  }
}

/** What a remote says no to stays a no until somebody acts. */
const REFUSALS: readonly GitErrorKind[] = ["moved", "no-remote", "failed", "unknown-ref"];

/** Why it cannot be delivered as it is; what may work later by itself is thrown on. */
export function refusedBy(error: unknown): string {
  if (isRefusal(error) || error instanceof LastingError) return error.message;
  throw error;
}

export function isRefusal(error: unknown): error is ForgeError | GitError {
  if (error instanceof GitError) return REFUSALS.includes(error.kind);
  return error instanceof ForgeError && !isPassing(error);
}

export function isMissing(error: unknown): boolean {
  return error instanceof ForgeError && error.kind === "not-found";
}

/** What a forge gives, or null where it is not there any more. */
export function unlessMissing<T>(asked: Promise<T>): Promise<T | null> {
  return asked.catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw error;
  });
}
