import { Follower, type ProjectStore } from "@anneal/engine/project";
import type { Position } from "./cursor.ts";
import { type Frame, framesOf } from "./frames.ts";

export type OnFrame = (frame: Frame) => void;

/** The stream of one project: what is in the log already, and what comes. */
export interface Hub {
  /** Reads what was appended, and hands it on. */
  wake(): void;
  /** Where the log stands now, for those who want nothing of the past. */
  now(): Position;
  /**
   * The frames after a position, for as long as there are some in the log; then the listener is attached, and from there on
   * it is told. Whoever cannot keep up stops reading, and comes back with the position that it got to.
   */
  replay(after: Position, listener: OnFrame): Generator<Frame, () => void>;
}

export function hub(project: string, store: ProjectStore): Hub {
  const live = new Follower(store);
  const listeners = new Set<OnFrame>();
  let last = store.lastSeq();
  const wake = () => {
    for (const told of live.news()) {
      last = told.seq;
      for (const frame of framesOf(project, told)) for (const listener of listeners) listener(frame);
    }
  };
  return {
    wake,
    now: () => ({ seq: store.lastSeq(), part: Number.MAX_SAFE_INTEGER }),
    *replay(after, listener) {
      // The event itself may have more frames than were seen of it.
      const past = new Follower(store, Math.max(0, after.seq - 1));
      let seen = 0;
      for (let more = true; more; ) {
        more = false;
        for (const told of past.news()) {
          more = true;
          seen = told.seq;
          for (const frame of framesOf(project, told)) if (isAfter(frame, after)) yield frame;
        }
      }
      // Nothing was appended since the last look, and nothing can be before this function returns.
      const reached = Math.max(seen, after.seq);
      const fresh: OnFrame = (frame) => {
        if (frame.seq > reached) listener(frame);
      };
      listeners.add(fresh);
      if (last < reached) wake();
      return () => void listeners.delete(fresh);
    },
  };
}

function isAfter({ seq, part }: Position, after: Position): boolean {
  return seq > after.seq || (seq === after.seq && part > after.part);
}
