import type { AnnealClient, EventStream, EventStreamOptions, StreamState } from "@anneal/client";
import { systemClock } from "@anneal/engine";
import { Follower, openProject } from "@anneal/engine/project";
import type { EventFrame } from "@anneal/types";
import { WebSocket } from "ws";
import { framesOf } from "../events/frames.ts";

/** A client that keeps what it heard, and whose connection can be broken. */
export interface Followed {
  frames: EventFrame[];
  states: StreamState[];
  stream: EventStream;
  /** Breaks the connection without a word, as a network does; false where there is none. */
  cut(): boolean;
  /** Settles when what was heard so far fits. */
  until(test: () => boolean): Promise<void>;
}

export function followed(
  client: AnnealClient,
  options: Partial<EventStreamOptions> = {},
  onFrame: (frame: EventFrame, followed: Followed) => void = () => {},
): Followed {
  const frames: EventFrame[] = [];
  const states: StreamState[] = [];
  const waiters = new Set<() => void>();
  let socket: WebSocket | null = null;
  const look = () => {
    for (const waiter of [...waiters]) waiter();
  };
  const stream = client.events({
    delayMs: () => 1,
    ...options,
    onFrame(frame) {
      frames.push(frame);
      onFrame(frame, self);
      look();
    },
    onState(state) {
      states.push(state);
      look();
    },
    connect(address, { onMessage, onClose }) {
      const one = new WebSocket(address);
      socket = one;
      one.on("message", (data) => onMessage(String(data)));
      one.on("close", (code, reason) => onClose(code, String(reason)));
      one.on("error", () => {});
      return () => one.close();
    },
  });
  const self: Followed = {
    frames,
    states,
    stream,
    cut() {
      if (socket?.readyState !== WebSocket.OPEN) return false;
      socket.terminate();
      return true;
    },
    until: (test) =>
      new Promise((resolve) => {
        const waiter = () => {
          if (!test()) return;
          waiters.delete(waiter);
          resolve();
        };
        waiters.add(waiter);
        waiter();
      }),
  };
  return self;
}

/** Every message that the log of a project makes, read from its file. */
export async function logOf(root: string, project: string): Promise<string[]> {
  using opened = await openProject(root, systemClock);
  return [...new Follower(opened.store, 0).news()].flatMap((told) => framesOf(project, told)).map(placeOf);
}

export function placeOf({ seq, part }: { seq: number; part: number }): string {
  return `${seq}.${part}`;
}
