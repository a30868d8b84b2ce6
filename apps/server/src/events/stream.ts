import type { ActivityFrame, StreamCloseCode, StreamNote } from "@anneal/types";
import { cursorOf, isAfter, type Positions, type StreamPosition } from "./cursor.ts";
import { frameBytes, type StreamFrame } from "./frames.ts";
import type { Aside, Hub } from "./hub.ts";

/** Where frames go: a socket, or a response that stays open. */
export interface Sink {
  send(message: Buffer, cursor: string): void;
  note(note: StreamNote | ActivityFrame | Aside): void;
  /** Bytes that wait to be taken. */
  waiting(): number;
  /** Settles when it has taken what waited, or is gone. */
  drained(): Promise<void>;
  /** Whether the other side has shown since the last time that it takes what it is sent. */
  isAlive(): boolean;
  close(code: StreamCloseCode): void;
  readonly closed: boolean;
}

export interface Wanted {
  hubs: ReadonlyMap<string, Hub>;
  /** From where; a project without a position is told from now on. */
  since: Positions;
  /** Only frames of this loop or item. */
  loop?: string | undefined;
  item?: string | undefined;
  activity?: boolean | undefined;
}

export interface StreamOptions {
  beatMs: number;
  /** Whether the listener still is who it was. */
  isAllowed(): boolean;
  onError(error: unknown): void;
  /** It does not take what it is sent. */
  onTooSlow(): void;
}

/** A listener that has this much waiting is told no news: it reads the log at its own pace until it has caught up. */
const MOST_WAITING_BYTES = 1024 * 1024;
/** A replay rests while this much waits. */
const ENOUGH_BYTES = 256 * 1024;

/** Sends the wanted frames, first those of the past, then those that come. Gives what ends it. */
export function streamTo(sink: Sink, wanted: Wanted, options: StreamOptions): () => void {
  const places: Record<string, StreamPosition> = {};
  // All places are known from the first frame on: a cursor that lacks a project would lose what comes meanwhile.
  for (const [project, hub] of wanted.hubs) places[project] = wanted.since[project] ?? hub.now();
  const ended = new AbortController();
  const isOver = () => ended.signal.aborted || sink.closed;
  let told = 0;

  const send = (frame: StreamFrame) => {
    const place = places[frame.project];
    if (isOver() || place === undefined || !isAfter(frame, place)) return;
    places[frame.project] = { seq: frame.seq, part: frame.part };
    if (!isWanted(frame, wanted)) return;
    told += 1;
    const cursor = cursorOf(places);
    sink.send(frameBytes(frame, cursor), cursor);
  };
  const giveUp = (error: unknown) => {
    if (isOver()) return;
    options.onError(error);
    ended.abort();
    sink.close(1001);
  };

  async function follow(project: string, hub: Hub, onCaughtUp: () => void): Promise<void> {
    while (!isOver()) {
      await catchUp(hub.reader(places[project] ?? hub.now()));
      if (isOver()) return;
      onCaughtUp();
      await untilBehind(hub);
      await sink.drained();
    }
  }

  async function catchUp(next: () => readonly StreamFrame[]): Promise<void> {
    for (let frames = next(); frames.length > 0 && !isOver(); frames = next()) {
      for (const frame of frames) send(frame);
      if (sink.waiting() > ENOUGH_BYTES) await sink.drained();
      // Others have their turn, however long the log is.
      else await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** Nothing can be appended between the last look into the log and this, so nothing is missed. */
  function untilBehind(hub: Hub): Promise<void> {
    return new Promise((resolve) => {
      const leave = () => {
        detach();
        ended.signal.removeEventListener("abort", leave);
        resolve();
      };
      const detach = hub.attach({
        onFrame: (frame) => {
          send(frame);
          if (sink.waiting() > MOST_WAITING_BYTES) leave();
        },
        onActivity: (activity) => {
          if (wanted.activity && isWanted(activity, wanted) && sink.waiting() < ENOUGH_BYTES) sink.note(activity);
        },
        onAside: (aside) => {
          if (isWantedAside(aside, wanted) && sink.waiting() < ENOUGH_BYTES) sink.note(aside);
        },
        onFailure: giveUp,
      });
      ended.signal.addEventListener("abort", leave);
    });
  }

  let behind = wanted.hubs.size;
  const caughtUp = () => sink.note({ type: "stream:caught-up", payload: { replayed: told, ...placeIn(places) } });
  sink.note({ type: "stream:opened", payload: { beatMs: options.beatMs } });
  if (behind === 0) caughtUp();
  for (const [project, hub] of wanted.hubs) {
    let first = true;
    follow(project, hub, () => {
      behind -= Number(first);
      if (first && behind === 0) caughtUp();
      first = false;
    }).catch(giveUp);
  }

  const judge = () => {
    if (isOver()) return;
    if (!options.isAllowed()) sink.close(4401);
    else if (!sink.isAlive()) {
      options.onTooSlow();
      sink.close(4008);
    } else if (sink.waiting() < ENOUGH_BYTES) sink.note({ type: "stream:beat", payload: placeIn(places) });
  };
  // What came in while this process was busy or asleep is read first: nobody is cut off for our own silence.
  const beat = setInterval(() => setImmediate(judge), options.beatMs);
  beat.unref();
  ended.signal.addEventListener("abort", () => clearInterval(beat));
  return () => ended.abort();
}

/** Over no project there is no place; an empty one would take the place of a good one that the listener has. */
function placeIn(places: Positions): { cursor?: string } {
  const cursor = cursorOf(places);
  return cursor === "" ? {} : { cursor };
}

function isWantedAside(aside: Aside, wanted: Wanted): boolean {
  if ("loop" in aside) return isWanted(aside, wanted);
  const about = "item" in aside ? aside.item : undefined;
  return wanted.loop === undefined && (wanted.item === undefined || wanted.item === about);
}

function isWanted(about: { loop: string; item: string }, { loop, item }: Wanted): boolean {
  return (loop === undefined || about.loop === loop) && (item === undefined || about.item === item);
}
