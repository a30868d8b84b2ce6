import type { Stage } from "@anneal/types";
import type { InboxRow } from "./inbox.ts";
import type { Row } from "./sql.ts";
import type { LoggedEvent, LogLoopRow } from "./store.ts";
import { StoreError } from "./store-error.ts";
import { type Upcasters, upcast } from "./upcast.ts";

/** Reads rows of the table of events; what an older Anneal wrote comes out as if written today. */
export function eventReader<E>(upcasters: Upcasters): (row: Row) => LoggedEvent<E> {
  return (row) => {
    const seq = Number(row.seq);
    const body = parse(row.body, `event ${seq}`);
    const event = upcast({ seq, type: String(row.type), version: Number(row.version), body }, upcasters);
    return { seq, loop: String(row.loop), stage: row.stage as Stage, event: event as unknown as E };
  };
}

export function loopRow<S>(row: Row): LogLoopRow<S> {
  return {
    loop: String(row.loop),
    kind: String(row.kind),
    item: String(row.item),
    stage: row.stage as Stage,
    summary: parse(row.summary, `loop ${row.loop}`),
    firstSeq: Number(row.first_seq),
    lastSeq: Number(row.last_seq),
  };
}

export function inboxRow(row: Row): InboxRow {
  const loop = row.loop === null ? null : String(row.loop);
  return { id: String(row.id), at: Number(row.at), loop, body: parse(row.body, `message ${row.id}`) };
}

function parse(text: Row[string] | undefined, what: string) {
  try {
    const json = String(text);
    return json.includes(TOO_MUCH) ? JSON.parse(json, asMoreThanAnyCap) : JSON.parse(json);
  } catch (error) {
    throw new StoreError("damaged", `The database holds ${what} in an unreadable form.`, error);
  }
}

/** How JSON wrote a cost that was more than a number can be, before claims were doubted. It was above every cap then, and has to be when it is read. */
const TOO_MUCH = '"costUsd":null';

function asMoreThanAnyCap(key: string, value: unknown): unknown {
  return key === "costUsd" && value === null ? Number.MAX_VALUE : value;
}
