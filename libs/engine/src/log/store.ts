import type { Clock } from "@anneal/adapters";
import { failpoint } from "@anneal/system/failpoint";
import type { LoopEvent, Stage } from "@anneal/types";
import { type Database, openDatabase } from "./database.ts";
import { type Inbox, inboxOf, takeMessage } from "./inbox.ts";
import { type GitFolder, type LogFolder, logFolderOf, makeFolder } from "./log-folder.ts";
import type { DiskType } from "./network-disk.ts";
import { type Outbox, outboxOf } from "./outbox.ts";
import { eventReader, loopRow } from "./rows.ts";
import * as sql from "./statements.ts";
import { asStoreError } from "./store-error.ts";
import { startSession } from "./store-session.ts";
import { currentVersion, UPCASTERS, type Upcasters } from "./upcast.ts";

const PAGE = 64;

export interface LogStoreOptions {
  clock: Pick<Clock, "now">;
  readOnly?: boolean;
  /** Tells the file system of a path, as statfs numbers it. */
  diskType?: DiskType;
  migrations?: readonly string[];
  upcasters?: Upcasters;
}

/** One step of a loop: what happened, the stage that it led to, and the loop's line for lists, which must not grow with the loop. */
export interface LogEntry<E = LoopEvent, S = unknown> {
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

export interface LogLoopRow<S = unknown> {
  loop: string;
  kind: string;
  item: string;
  stage: Stage;
  summary: S;
  firstSeq: number;
  lastSeq: number;
}

export interface LoopFilter {
  item?: { kind: string; id: string };
  kind?: string;
  /** The branch that its line for lists names. */
  branch?: string;
  open?: boolean;
}

export interface Used {
  tokens: number;
  costUsd: number;
}

export interface AppendOptions {
  /** The work item of a new loop; later appends keep it. A loop that names none is its own item. */
  of?: { kind: string; item: string };
  /** The inbox row that the first event comes from; it is taken in the same transaction, and by one event only. */
  taking?: string;
  /** What these events have used; it counts at the moment of the last of them. */
  usage?: Used;
}

type AnyEvent = { type: string; at: number };

/** The log of a project and what is kept next to it. Everything is on disk when a call returns, unless it says otherwise. */
export interface Store<E extends AnyEvent = LoopEvent, S = unknown> extends Inbox, Outbox {
  /** Of the work tree whose log it is. */
  readonly gitDir: string;
  readonly journal: Database["journal"];
  append(loop: string, entries: readonly LogEntry<E, S>[], options?: AppendOptions): number[];
  /** The events of one loop in order; reads on as the log grows and holds nothing open in between. */
  events(loop: string, sinceSeq?: number): Generator<LoggedEvent<E>>;
  allEvents(sinceSeq: number, limit: number): LoggedEvent<E>[];
  /** Oldest first. */
  loops(filter?: LoopFilter): LogLoopRow<S>[];
  /** The items that have had loops. */
  items(): { kind: string; item: string }[];
  /** The branches that loops have worked on, by their lines for lists. */
  branches(): { kind: string; branch: string }[];
  /** The branches that the work of loops goes into, by their first events. */
  targets(): string[];
  /** Those with events after this one, oldest first. */
  loopsSince(seq: number): LogLoopRow<S>[];
  loop(id: string): LogLoopRow<S> | null;
  /** The number of the last event that the loop's files tell of; 0 where none does. */
  projected(loop: string): number;
  /** Notes that the loop's files tell of this event. Outlives a kill but not a power cut: then they are written once more. */
  markProjected(loop: string, seq: number): void;
  /** The loops whose files are behind their log, oldest first. */
  behind(): LogLoopRow<S>[];
  /** What all loops together have used at and after a moment. */
  usedSince(ms: number): Used;
  lastSeq(): number;
  /** Differs from an earlier mark as soon as any process has committed anything; our own `markProjected` is no news. */
  mark(): string;
  /** What is wrong with the file, page by page; empty when nothing is. Reads all of it. */
  check(): string[];
  close(): void;
}

/** Opens the log of a project, and makes it where there is none. */
export function openStore<E extends AnyEvent = LoopEvent, S = unknown>(
  repo: GitFolder,
  options: LogStoreOptions,
): Store<E, S> {
  const { clock, readOnly = false, upcasters = UPCASTERS } = options;
  const location = logFolderOf(repo);
  if (!readOnly) prepare(location);
  const { diskType, migrations } = options;
  const access = readOnly ? "read-only" : "read-write";
  const database = openDatabase(location, { access, now: clock.now(), diskType, migrations });
  const session = startSession(database, location.database);
  const eventOf = eventReader<E>(upcasters);
  const readEvents = (query: string, ...values: (string | number)[]) => session.all(query, ...values).map(eventOf);

  return {
    ...inboxOf(session, clock),
    ...outboxOf(session),
    gitDir: repo.gitDir,
    journal: database.journal,
    append: (loop, entries, { of, taking, usage } = {}) => {
      const bodies = entries.map(({ event, stage }) => ({ stage, ...encode(event, upcasters) }));
      const last = entries.at(-1);
      if (last === undefined) throw new RangeError("An append needs at least one event.");
      const summary = JSON.stringify(last.summary ?? null);
      failpoint("log.append.before");
      const seqs = session.write(() => {
        const added = bodies.map(({ at, type, version, stage, body }) =>
          session.insert(sql.INSERT_EVENT, loop, at, type, version, stage, body),
        );
        const first = added[0] ?? 0;
        const lastSeq = added.at(-1) ?? first;
        if (taking !== undefined) takeMessage(session, taking, first);
        const { kind, item } = of ?? { kind: "loop", item: loop };
        session.run(sql.UPSERT_LOOP, loop, kind, item, last.stage, summary, first, lastSeq);
        session.run(sql.MOVE_LOOP, last.stage, loop);
        if (isSome(usage)) session.run(sql.USE, last.event.at, lastSeq, usage.tokens, usage.costUsd);
        failpoint("log.append.uncommitted");
        return added;
      });
      failpoint("log.append.after");
      return seqs;
    },
    *events(loop, sinceSeq = 0) {
      let since = sinceSeq;
      for (let more = true; more; ) {
        const page = readEvents(sql.EVENTS_OF_LOOP, loop, since, PAGE);
        since = page.at(-1)?.seq ?? since;
        more = page.length === PAGE;
        yield* page;
      }
    },
    allEvents: (sinceSeq, limit) => readEvents(sql.ALL_EVENTS, sinceSeq, limit),
    loops: (filter = {}) => {
      const { query, values } = sql.loopsWhere(filter);
      return session.all(query, ...values).map(loopRow<S>);
    },
    items: () => session.all(sql.ITEMS).map(({ kind, item }) => ({ kind: String(kind), item: String(item) })),
    branches: () =>
      session.all(sql.BRANCHES).map(({ kind, branch }) => ({ kind: String(kind), branch: String(branch) })),
    targets: () => session.all(sql.TARGETS).map(({ target }) => String(target)),
    loopsSince: (seq) => session.all(sql.LOOPS_SINCE, seq).map(loopRow<S>),
    loop: (id) => session.all(sql.LOOP, id).map(loopRow<S>)[0] ?? null,
    projected: (loop) => Number(session.all(sql.PROJECTED, loop)[0]?.projected_seq ?? 0),
    markProjected: (loop, seq) => {
      failpoint("log.mark.before");
      session.writeUnsynced(() => session.run(sql.MARK_PROJECTED, seq, loop));
      failpoint("log.mark.after");
    },
    behind: () => session.all(sql.BEHIND).map(loopRow<S>),
    usedSince: (ms) => {
      const row = session.all(sql.USED_SINCE, ms)[0];
      return { tokens: Number(row?.tokens ?? 0), costUsd: Math.min(Number(row?.cost_usd ?? 0), Number.MAX_VALUE) };
    },
    lastSeq: () => Number(session.all(sql.LAST_SEQ)[0]?.seq ?? 0),
    mark: session.mark,
    check: () =>
      session
        .all("PRAGMA quick_check")
        .map(({ quick_check }) => String(quick_check))
        .filter((line) => line !== "ok"),
    close: session.close,
  };
}

function prepare(location: LogFolder): void {
  try {
    makeFolder(location);
  } catch (error) {
    throw asStoreError(error, location.folder);
  }
}

function encode(event: AnyEvent, upcasters: Upcasters) {
  const { type, at } = event;
  const version = currentVersion(type, upcasters);
  if (version === null) throw new TypeError(`Events of type ${type} have no entry in the table of upcasters.`);
  return { type, at, version, body: JSON.stringify(event) };
}

function isSome(usage: Used | undefined): usage is Used {
  return usage !== undefined && (usage.tokens > 0 || usage.costUsd > 0);
}
