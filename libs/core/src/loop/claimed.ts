import type { LoopEvent, LoopState } from "@anneal/types";

type Fixed = Extract<LoopEvent, { type: "fixed" }>;

/** A fixer that does not say what it fixed leaves it to the change to show, for the whole commit. What people told it names files, too. */
export function claimed({ claims, notes: told }: LoopState, { addressed }: Fixed): NonNullable<LoopState["claims"]> {
  const { addressed: before = [], isSilent = false, notes: earlier = [] } = claims ?? {};
  const notes = [...earlier, ...told];
  return {
    addressed: [...before, ...(addressed ?? [])],
    isSilent: isSilent || addressed === undefined,
    ...(notes.length === 0 ? {} : { notes }),
  };
}
