import type { Place } from "./place.ts";

/** Where this process last put each ref, so that the work of one loop is no tampering in the eyes of another. */
const moves = new Map<string, Map<string, string | null>>();

/** Remembers that we put a ref there; null where we removed it. */
export function noteMove({ commonDir }: Place, ref: string, to: string | null): void {
  const known = moves.get(commonDir) ?? new Map<string, string | null>();
  known.set(ref, to);
  moves.set(commonDir, known);
}

/** Whether the ref stands where we put it ourselves. */
export function isOwnMove({ commonDir }: Place, ref: string, now: string | null): boolean {
  const known = moves.get(commonDir);
  return known?.has(ref) === true && known.get(ref) === now;
}
