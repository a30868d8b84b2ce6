import { cursorOf, type Position, type Positions } from "./cursor.ts";
import type { Frame } from "./frames.ts";
import type { Hub } from "./hub.ts";

/** Where frames go: a socket, or a response that stays open. */
export interface Sink {
  send(text: string): void;
  /** Bytes that wait to be taken. */
  waiting(): number;
  /** Settles when it has taken what waited, or is gone. */
  drained(): Promise<void>;
  close(reason: CloseReason): void;
  readonly closed: boolean;
}

export type CloseReason = "too-slow" | "shutting-down" | "unauthorised";

export interface Wanted {
  /** By project, in the order in which they are told. */
  hubs: ReadonlyMap<string, Hub>;
  /** From where; a project without a position is told from now on. */
  since: Positions;
  /** Only frames of this loop or item. */
  loop?: string | undefined;
  item?: string | undefined;
}

/** A listener that has this much waiting does not keep up: it is let go, and can come back with its cursor. */
const MOST_WAITING_BYTES = 4 * 1024 * 1024;
/** A replay rests while this much waits. */
const ENOUGH_BYTES = 256 * 1024;

/** Sends the wanted frames, first those of the past, then those that come. Gives what ends it. */
export function streamTo(sink: Sink, wanted: Wanted): { done: Promise<void>; stop(): void } {
  const detach: (() => void)[] = [];
  const places: Record<string, Position> = { ...wanted.since };
  let stopped = false;

  const send = (frame: Frame) => {
    if (stopped || sink.closed) return;
    places[frame.project] = { seq: frame.seq, part: frame.part };
    if (!isWanted(frame, wanted)) return;
    const { seq, type, payload, project, loop, item } = frame;
    sink.send(JSON.stringify({ seq, type, payload, project, loop, item, cursor: cursorOf(places) }));
    if (sink.waiting() <= MOST_WAITING_BYTES) return;
    stop();
    sink.close("too-slow");
  };

  async function replay(project: string, hub: Hub): Promise<void> {
    const after = wanted.since[project] ?? hub.now();
    places[project] ??= after;
    const past = hub.replay(after, send);
    for (let next = past.next(); ; next = past.next()) {
      if (stopped || sink.closed) return;
      if (next.done) {
        detach.push(next.value);
        return;
      }
      send(next.value);
      if (sink.waiting() > ENOUGH_BYTES) await sink.drained();
    }
  }

  function stop(): void {
    stopped = true;
    for (const one of detach.splice(0)) one();
  }

  const done = (async () => {
    for (const [project, hub] of wanted.hubs) await replay(project, hub);
  })();
  return { done, stop };
}

function isWanted(frame: Frame, { loop, item }: Wanted): boolean {
  return (loop === undefined || frame.loop === loop) && (item === undefined || frame.item === item);
}
