import { type AgentActivity, Follower, type Progress, type ProjectStore } from "@anneal/engine/project";
import type {
  ActivityFrame,
  ApiSettingsScope,
  ItemsFrame,
  ProgressFrame,
  SettingsFrame,
  TroubleFrame,
} from "@anneal/types";
import { isAfter, LAST_PART, type StreamPosition } from "./cursor.ts";
import { activityOf, framesOf, type StreamFrame } from "./frames.ts";
import { Recent } from "./recent.ts";

/** What is told beside the log. */
export type Aside = SettingsFrame | TroubleFrame | ItemsFrame | ProgressFrame;

export interface Listener {
  onFrame(frame: StreamFrame): void;
  onActivity(activity: ActivityFrame): void;
  onAside(aside: Aside): void;
  /** The log cannot be followed any more. */
  onFailure(error: unknown): void;
}

/** The stream of one project: what is in the log already, and what comes. */
export interface Hub {
  /** Reads what was appended, and hands it on. Never throws: a stream must not stop a loop. */
  wake(): void;
  /** Tells what an agent does just now. */
  see(seen: AgentActivity): void;
  /** Tells what a reviewer says just now. */
  progress(progress: Progress): void;
  /** Tells that settings have changed. */
  settingsChanged(scope: ApiSettingsScope): void;
  /** Tells what went wrong with an item beside its loop. */
  trouble(item: string, message: string): void;
  /** Tells that work items have changed beside their loops. */
  itemsChanged(): void;
  /** Whether anybody listens. */
  readonly isHeard: boolean;
  /** Where the log stands now, for those who want nothing of the past. */
  now(): StreamPosition;
  /** The next frames after a place that are in the log, for whoever calls it again and again; none once all were given. */
  reader(after: StreamPosition): () => readonly StreamFrame[];
  /** From now on; who has read everything before misses nothing. */
  attach(listener: Listener): () => void;
  /** Tells the rest; the log is not read again. */
  close(): void;
}

/** Events that are told before others get their turn. */
const SLICE = 64;
const PAGE_FRAMES = 200;

export function hub(project: string, store: ProjectStore): Hub {
  const live = new Follower(store);
  const listeners = new Set<Listener>();
  const recent = new Recent(store.lastSeq());
  let busy = false;
  let closed = false;

  function tellSlice(): boolean {
    let events = 0;
    for (const told of live.news()) {
      for (const frame of framesOf(project, told)) {
        recent.add(frame);
        for (const listener of listeners) listener.onFrame(frame);
      }
      events += 1;
      if (events === SLICE) return true;
    }
    return false;
  }

  function tell(): void {
    try {
      busy = !closed && tellSlice();
      if (busy) setImmediate(tell);
    } catch (error) {
      busy = false;
      for (const listener of [...listeners]) listener.onFailure(error);
    }
  }

  const tellAside = (aside: Aside) => {
    for (const listener of listeners) listener.onAside(aside);
  };

  return {
    wake() {
      if (!busy) tell();
    },
    see(seen) {
      if (listeners.size === 0) return;
      const activity = activityOf(project, seen);
      for (const listener of listeners) listener.onActivity(activity);
    },
    progress: ({ loop, item, seed }) => tellAside({ ...seed, project, loop, item }),
    settingsChanged: (scope) => tellAside({ type: "settings:changed", project, payload: { scope } }),
    trouble: (item, message) => tellAside({ type: "item:trouble", project, item, payload: { message } }),
    itemsChanged: () => tellAside({ type: "items:changed", project, payload: {} }),
    get isHeard() {
      return listeners.size > 0;
    },
    now: () => ({ seq: store.lastSeq(), part: LAST_PART }),
    reader: (after) => readerOf({ project, store, recent }, after),
    attach(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close() {
      do tell();
      while (busy);
      closed = true;
    },
  };
}

interface Source {
  project: string;
  store: ProjectStore;
  recent: Recent;
}

function readerOf({ project, store, recent }: Source, after: StreamPosition): () => readonly StreamFrame[] {
  let place = after;
  let log: Follower | null = null;
  const reached = (frames: readonly StreamFrame[]) => {
    place = frames.at(-1) ?? place;
    return frames;
  };
  return () => {
    const near = recent.after(place, PAGE_FRAMES);
    if (near !== null && (near.length > 0 || store.lastSeq() <= place.seq)) {
      log = null;
      return reached(near);
    }
    // The event itself may have more frames than were seen of it.
    log ??= new Follower(store, Math.max(0, place.seq - 1));
    const frames: StreamFrame[] = [];
    for (const told of log.news()) {
      for (const frame of framesOf(project, told)) if (isAfter(frame, place)) frames.push(frame);
      if (frames.length >= PAGE_FRAMES) break;
    }
    return reached(frames);
  };
}
