import { AsyncLocalStorage } from "node:async_hooks";
import { serialise } from "@anneal/system/files/serialise";

const held = new AsyncLocalStorage<ReadonlySet<string>>();

/**
 * Runs one change of refs or worktrees per repository at a time, in the order of the calls.
 * Work that is queued by other queued work of the same repository runs at once, since it would wait for itself.
 */
export function serialised<T>(commonDir: string, work: () => Promise<T>): Promise<T> {
  const outer = held.getStore();
  if (outer?.has(commonDir)) return work();
  const inner = new Set([...(outer ?? []), commonDir]);
  return serialise(`git ${commonDir}`, () => held.run(inner, work));
}
