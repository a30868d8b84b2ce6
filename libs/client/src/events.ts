import type {
  ActivityFrame,
  ApiEventTicket,
  EventFrame,
  ItemsFrame,
  ProgressFrame,
  SettingsFrame,
  StreamNote,
  TroubleFrame,
} from "@anneal/types";
import { errorMessage } from "@anneal/types/unknown";
import { ApiProblem } from "./problem.ts";
import { addressOf } from "./route.ts";
import type { ServerAddress } from "./transport.ts";

export interface EventStreamOptions {
  project?: string;
  loop?: string;
  item?: string;
  /** From where; without it from now on. */
  since?: string;
  onFrame(frame: EventFrame): void;
  /** Asked for where it is given. */
  onActivity?: (activity: ActivityFrame) => void;
  /** Settings have changed, whoever changed them. */
  onSettings?: (changed: SettingsFrame) => void;
  /** Work items have changed outside their loops. */
  onItems?: (changed: ItemsFrame) => void;
  /** What reviewers of features say while they say it; with `onFrame` alone it is passed over. */
  onProgress?: (progress: ProgressFrame) => void;
  /** Something went wrong with an item outside its loop, such as its start. */
  onTrouble?: (trouble: TroubleFrame) => void;
  onState?: (state: StreamState) => void;
  /** How long to wait before the attempt of this number since the last good connection, from 1 on. */
  delayMs?: (attempt: number) => number;
  /** For surroundings with a socket of their own. */
  connect?: Connect;
}

/** How the connection stands. */
export type StreamState =
  | { kind: "connecting"; attempt: number }
  /** Connected; what happened meanwhile is being sent. */
  | { kind: "replaying" }
  /** All of the past was sent, this many messages. */
  | { kind: "live"; replayed: number }
  | { kind: "waiting"; attempt: number; delayMs: number; reason: string }
  /** For good. With `wrong-cursor` everything has to be read again. */
  | { kind: "ended"; why: "closed" | "logged-out" | "wrong-cursor" | "refused"; reason: string };

export interface EventStream {
  /** The position after the last message: given as `since` to another stream, that one goes on. */
  readonly cursor: string | undefined;
  close(): void;
}

/** Opens a socket, and gives what closes it. */
export type Connect = (address: string, handlers: SocketHandlers) => () => void;

export interface SocketHandlers {
  onMessage(text: string): void;
  onClose(code: number, reason: string): void;
}

type Message = EventFrame | ProgressFrame | ActivityFrame | SettingsFrame | ItemsFrame | TroubleFrame | StreamNote;

const SHORTEST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 15_000;
/** So many signs of life may be missed. */
const MISSED_BEATS = 3;

/** Follows the events: a ticket, a socket, and reconnects at the last position whenever the connection breaks. */
export function eventStream(
  { base = "" }: ServerAddress,
  ticket: () => Promise<ApiEventTicket>,
  options: EventStreamOptions,
): EventStream {
  const { onFrame, onActivity, onSettings, onItems, onTrouble, onProgress } = options;
  const { onState = () => {}, delayMs = backOff, connect = plainSocket } = options;
  const seen = new Map<string, { seq: number; part: number }>();
  let cursor = options.since || undefined;
  let attempt = 0;
  let over = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let leave = () => {};

  const end = (why: Extract<StreamState, { kind: "ended" }>["why"], reason: string) => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    leave();
    onState({ kind: "ended", why, reason });
  };

  const retry = (reason: string) => {
    if (over) return;
    attempt += 1;
    const delay = delayMs(attempt);
    onState({ kind: "waiting", attempt, delayMs: delay, reason });
    timer = setTimeout(() => void open(), delay);
  };

  async function open(): Promise<void> {
    onState({ kind: "connecting", attempt: attempt + 1 });
    try {
      const { ticket: pass } = await ticket();
      if (!over) listen(addressOf("/api/events", {}, { ...queryOf(options), since: cursor, ticket: pass }));
    } catch (error) {
      const problem = error instanceof ApiProblem ? error : null;
      if (problem?.code === "unauthorised") end("logged-out", problem.message);
      else if (problem?.code === "forbidden") end("refused", problem.message);
      else retry(errorMessage(error));
    }
  }

  function listen(path: string): void {
    const watch = silenceWatch(() => gone("the server sent nothing for too long"));
    let left = false;
    const gone = (reason: string) => {
      leave();
      retry(reason);
    };
    const close = connect(`${socketBase(base)}${path}`, {
      onMessage(text) {
        if (left) return;
        watch.received();
        take(JSON.parse(text) as Message, watch.expect);
      },
      onClose(code, reason) {
        if (left) return;
        if (code === 4409) end("wrong-cursor", reason);
        else if (code === 4401) end("logged-out", reason);
        else if (code === 4400) end("refused", reason);
        else gone(reason || `the connection broke (${code})`);
      },
    });
    leave = () => {
      left = true;
      watch.stop();
      close();
    };
  }

  function take(message: Message, expect: (beatMs: number) => void): void {
    if (isNote(message)) {
      if (message.type === "stream:opened") {
        expect(message.payload.beatMs);
        onState({ kind: "replaying" });
        return;
      }
      cursor = message.payload.cursor || cursor;
      if (message.type === "stream:beat") return;
      attempt = 0;
      onState({ kind: "live", replayed: message.payload.replayed });
    } else if (isActivity(message)) onActivity?.(message);
    else if (isSettings(message)) onSettings?.(message);
    else if (isItems(message)) onItems?.(message);
    else if (isTrouble(message)) onTrouble?.(message);
    else if (isProgress(message)) onProgress?.(message);
    else {
      cursor = message.cursor || cursor;
      const { project, seq, part } = message;
      const last = seen.get(project);
      if (last !== undefined && (seq < last.seq || (seq === last.seq && part <= last.part))) return;
      seen.set(project, { seq, part });
      onFrame(message);
    }
  }

  void open();
  return {
    get cursor() {
      return cursor;
    },
    close: () => end("closed", "closed by its owner"),
  };
}

function queryOf({ project, loop, item, onActivity }: EventStreamOptions): object {
  return { project, loop, item, activity: onActivity === undefined ? undefined : "true" };
}

/** Longer each time, and never the same for all, who would otherwise come back at once. */
function backOff(attempt: number): number {
  const longest = Math.min(LONGEST_DELAY_MS, SHORTEST_DELAY_MS * 2 ** (attempt - 1));
  return longest / 2 + (Math.random() * longest) / 2;
}

/** A connection that broke without a word is silent for ever: the stream says how often it gives a sign of life. */
function silenceWatch(onSilence: () => void) {
  let timer: ReturnType<typeof setInterval> | undefined;
  let silent = 0;
  const stop = () => clearInterval(timer);
  return {
    stop,
    received() {
      silent = 0;
    },
    expect(beatMs: number) {
      stop();
      timer = setInterval(() => {
        silent += 1;
        if (silent > MISSED_BEATS) onSilence();
      }, beatMs);
    },
  };
}

function isNote(message: Message): message is StreamNote {
  return message.type.startsWith("stream:");
}

function isSettings(message: Message): message is SettingsFrame {
  return message.type === "settings:changed";
}

function isItems(message: Message): message is ItemsFrame {
  return message.type === "items:changed";
}

function isTrouble(message: Message): message is TroubleFrame {
  return message.type === "item:trouble";
}

function isActivity(message: Message): message is ActivityFrame {
  return message.type === "loop:activity";
}

/** Not the event of the same name that is in the log. */
function isProgress(message: Message): message is ProgressFrame {
  return !("seq" in message) && message.type === "feature:code-review-progress";
}

function socketBase(base: string): string {
  const here = base === "" ? String((globalThis as { location?: { origin?: string } }).location?.origin ?? "") : base;
  return here.replace(/^http/, "ws");
}

function plainSocket(address: string, { onMessage, onClose }: SocketHandlers): () => void {
  const socket = new WebSocket(address);
  socket.onmessage = ({ data }) => onMessage(String(data));
  socket.onclose = ({ code, reason }) => onClose(code, reason);
  return () => socket.close();
}
