import type { ApiLoopState, SignalName } from "@anneal/types";
import { saySignal } from "../../../../api/actions.ts";
import { noteWith } from "../comments/comments.ts";
import { useComments } from "../comments/use-comments.ts";

/** Says words about a loop as it is given here. Those whose note an agent reads take the comments on the diff along, which are kept until they are taken. */
export function useSay(project: string, loop: ApiLoopState) {
  const { comments, drop } = useComments(project, loop.id);
  const alongWith = (signal: SignalName) =>
    loop.signals.some((one) => one.signal === signal && one.takesNote) ? comments : [];
  const say = async (signal: SignalName, note: string) => {
    const along = alongWith(signal);
    const refused = await saySignal(project, loop, signal, noteWith(note, along));
    if (refused === null) drop(along);
    return refused;
  };
  return { say, alongWith };
}
