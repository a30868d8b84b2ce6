import type { Clock } from "@anneal/adapters";
import { failpoint } from "@anneal/adapters/failpoint";
import type { LoopEvent, Stage } from "@anneal/types";
import { type Database, openDatabase } from "./database.ts";
import { keepRuntimeFilesOut } from "./ignore-file.ts";
import type { DiskType } from "./network-disk.ts";
import { makeFolder, placesOf } from "./places.ts";
import { eventReader, inboxRow, loopRow } from "./rows.ts";
import { asStoreError, StoreError } from "./store-error.ts";
import { type Session, startSession } from "./store-session.ts";
import { currentVersion, UPCASTERS, type Upcasters } from "./upcast.ts";

const PAGE = 64;

export interface StoreOptions {
  clock: Pick<Clock, "now">;
  readOnly?: boolean;
  /** Tells the file system of a path, as statfs numbers it. */
  diskType?: DiskType;
  migrations?: readonly string[];
  upcasters?: Upcasters;
}

/** One step of a loop: what happened, the stage that it led to, and the loop's line for lists, which must not grow with the loop. */
export interface Entry<E = LoopEvent, S = unknown> {
  event: E;
  stage: Stage;
  summary: S;
}

export interface LoggedEvent<E = LoopEvent> {
  seq: number;
  loop: string;
  stage: Stage;
  event: E;
}

export interface LoopRow<S = unknown> {
  loop: string;
  kind: string;
  item: string;
  stage: Stage;
  summary: S;
  firstSeq: number;
  lastSeq: number;
}

export interface InboxRow {
  id: string;
  at: number;
  loop: string | null;
  body: unknown;
}

export interface AppendOptions {
  /** The work item of a new loop; later appends keep it. A loop that names none is its own item. */
  of?: { kind: string; item: string };
  /** The inbox row that the first event comes from; it is taken in the same transaction, and by one event only. */
  taking?: string;
}

type AnyEvent = { type: string; at: number };

/** The log of a project and what is kept beside it. Everything is on disk when a call returns. */
export interface Store<E extends AnyEvent = LoopEvent, S = unknown> {
  readonly folder: string;
  readonly journal: Database["journal"];
  append(loop: string, entries: readonly Entry<E, S>[], options?: AppendOptions): number[];
  /** The events of one loop in order; reads on as the log grows and holds nothing open in between. */
  events(loop: string, sinceSeq?: number): Generator<LoggedEvent<E>>;
  allEvents(sinceSeq: number, limit: number): LoggedEvent<E>[];
  loops(filter?: { open?: boolean }): LoopRow<S>[];
  loop(id: string): LoopRow<S> | null;
  /** Leaves a message for the owner, from any process. The same id twice is one message; false says it was there. */
  post(message: { id: string; loop: string | null; body: unknown }): boolean;
  /** The messages that no event was made of yet, in the order in which they came. */
  takeInbox(loop?: string): InboxRow[];
  /** Ends messages that became no event of their own: `seq` is the event that answers them, or the last one. */
  markTaken(ids: readonly string[], seq: number): void;
  lastSeq(): number;
  /** Differs from an earlier mark as soon as any process has committed anything. */
  mark(): string;
  /** What is wrong with the file, page by page; empty when nothing is. Reads all of it. */
  check(): string[];
  close(): void;
}

/** Opens the log of a project, and makes it where there is none. */
export function openStore<E extends AnyEvent = LoopEvent, S = unknown>(
  projectRoot: string,
  options: StoreOptions,
): Store<E, S> {
  const { clock, readOnly = false, upcasters = UPCASTERS } = options;
  const places = placesOf(projectRoot);
  if (!readOnly) prepare(projectRoot);
  const { diskType, migrations } = options;
  const access = readOnly ? "read-only" : "read-write";
  const database = openDatabase(places, { access, now: clock.now(), diskType, migrations });
  const session = startSession(database, places.database);
  const eventOf = eventReader<E>(upcasters);
  const readEvents = (query: string, ...values: (string | number)[]) => session.all(query, ...values).map(eventOf);

  return {
    folder: places.folder,
    journal: database.journal,
    append: (loop, entries, { of, taking } = {}) => {
      const bodies = entries.map(({ event, stage }) => ({ stage, ...encode(event, upcasters) }));
      const last = entries.at(-1);
      if (last === undefined) throw new RangeError("An append needs at least one event.");
      const summary = JSON.stringify(last.summary ?? null);
      failpoint("log.append.before");
      const seqs = session.write(() => {
        const added = bodies.map(({ at, type, version, stage, body }) =>
          session.insert(INSERT_EVENT, loop, at, type, version, stage, body),
        );
        const first = added[0] ?? 0;
        if (taking !== undefined) take(session, taking, first);
        const { kind, item } = of ?? { kind: "loop", item: loop };
        session.run(UPSERT_LOOP, loop, kind, item, last.stage, summary, first, added.at(-1) ?? first);
        failpoint("log.append.uncommitted");
        return added;
      });
      failpoint("log.append.after");
      return seqs;
    },
    *events(loop, sinceSeq = 0) {
      let since = sinceSeq;
      for (let more = true; more; ) {
        const page = readEvents(EVENTS_OF_LOOP, loop, since, PAGE);
        since = page.at(-1)?.seq ?? since;
        more = page.length === PAGE;
        yield* page;
      }
    },
    allEvents: (sinceSeq, limit) => readEvents(ALL_EVENTS, sinceSeq, limit),
    loops: ({ open } = {}) => session.all(open === undefined ? LOOPS : open ? OPEN_LOOPS : ENDED_LOOPS).map(loopRow<S>),
    loop: (id) => session.all(LOOP, id).map(loopRow<S>)[0] ?? null,
    post: ({ id, loop, body }) => {
      const text = JSON.stringify(body ?? null);
      failpoint("inbox.post.before");
      const changes = session.write(() => session.run(POST, id, clock.now(), loop, text));
      failpoint("inbox.post.after");
      return changes === 1;
    },
    takeInbox: (loop) => (loop === undefined ? session.all(WAITING) : session.all(WAITING_FOR, loop)).map(inboxRow),
    markTaken: (ids, seq) => {
      session.write(() => {
        for (const id of ids) session.run(TAKE, seq, id);
      });
    },
    lastSeq: () => Number(session.all(LAST_SEQ)[0]?.seq ?? 0),
    mark: session.mark,
    check: () =>
      session
        .all("PRAGMA quick_check")
        .map(({ quick_check }) => String(quick_check))
        .filter((line) => line !== "ok"),
    close: session.close,
  };
}

function prepare(projectRoot: string): void {
  const { folder } = placesOf(projectRoot);
  try {
    makeFolder(placesOf(projectRoot));
    keepRuntimeFilesOut(projectRoot);
  } catch (error) {
    throw asStoreError(error, folder);
  }
}

function encode(event: AnyEvent, upcasters: Upcasters) {
  const { type, at } = event;
  const version = currentVersion(type, upcasters);
  if (version === null) throw new TypeError(`Events of type ${type} have no entry in the table of upcasters.`);
  return { type, at, version, body: JSON.stringify(event) };
}

function take(session: Session, id: string, seq: number): void {
  if (session.run(TAKE, seq, id) === 1) return;
  throw new StoreError("taken", `The inbox holds no waiting message ${id}.`);
}

const INSERT_EVENT = "INSERT INTO events (loop, at, type, version, stage, body) VALUES (?, ?, ?, ?, ?, ?)";
const UPSERT_LOOP = `INSERT INTO loops (loop, kind, item, stage, summary, first_seq, last_seq) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (loop) DO UPDATE SET stage = excluded.stage, summary = excluded.summary, last_seq = excluded.last_seq`;
const EVENT = "SELECT seq, loop, type, version, stage, body FROM events";
const EVENTS_OF_LOOP = `${EVENT} WHERE loop = ? AND seq > ? ORDER BY seq LIMIT ?`;
const ALL_EVENTS = `${EVENT} WHERE seq > ? ORDER BY seq LIMIT ?`;
const LOOP_ROW = "SELECT loop, kind, item, stage, summary, first_seq, last_seq FROM loops";
const LOOPS = `${LOOP_ROW} ORDER BY first_seq`;
const OPEN_LOOPS = `${LOOP_ROW} WHERE stage <> 'ended' ORDER BY first_seq`;
const ENDED_LOOPS = `${LOOP_ROW} WHERE stage = 'ended' ORDER BY first_seq`;
const LOOP = `${LOOP_ROW} WHERE loop = ?`;
const POST = "INSERT OR IGNORE INTO inbox (id, at, loop, body) VALUES (?, ?, ?, ?)";
const WAITING = "SELECT id, at, loop, body FROM inbox WHERE taken_seq IS NULL ORDER BY place";
const WAITING_FOR = "SELECT id, at, loop, body FROM inbox WHERE taken_seq IS NULL AND loop = ? ORDER BY place";
const TAKE = "UPDATE inbox SET taken_seq = ? WHERE id = ? AND taken_seq IS NULL";
const LAST_SEQ = "SELECT max(seq) AS seq FROM events";
