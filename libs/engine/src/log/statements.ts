import type { LoopFilter } from "./store.ts";

// A loop's stage has a statement of its own, so that the index of open loops is left alone when it stays the same.
export const INSERT_EVENT = "INSERT INTO events (loop, at, type, version, stage, body) VALUES (?, ?, ?, ?, ?, ?)";
export const UPSERT_LOOP = `INSERT INTO loops (loop, kind, item, stage, summary, first_seq, last_seq) VALUES (?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (loop) DO UPDATE SET summary = excluded.summary, last_seq = excluded.last_seq`;
export const MOVE_LOOP = "UPDATE loops SET stage = ?1 WHERE loop = ?2 AND stage <> ?1";

const EVENT = "SELECT seq, loop, type, version, stage, body FROM events";
export const EVENTS_OF_LOOP = `${EVENT} WHERE loop = ? AND seq > ? ORDER BY seq LIMIT ?`;
export const ALL_EVENTS = `${EVENT} WHERE seq > ? ORDER BY seq LIMIT ?`;
export const LAST_SEQ = "SELECT max(seq) AS seq FROM events";

const LOOP_ROW = "SELECT loop, kind, item, stage, summary, first_seq, last_seq FROM loops";
const IN_ORDER = "ORDER BY first_seq";
export const LOOP = `${LOOP_ROW} WHERE loop = ?`;

/** The loops of a filter, with the values that it takes. */
export function loopsWhere({ item, kind, branch, open }: LoopFilter): { query: string; values: string[] } {
  const conditions = [
    ...(item === undefined ? [] : ["item = ?", "kind = ?"]),
    ...(kind === undefined ? [] : ["kind = ?"]),
    ...(branch === undefined ? [] : ["summary ->> '$.branch' = ?"]),
    ...(open === undefined ? [] : [`stage ${open ? "<>" : "="} 'ended'`]),
  ];
  const where = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
  const values = [
    ...(item === undefined ? [] : [item.id, item.kind]),
    ...[kind, branch].filter((one) => one !== undefined),
  ];
  return { query: `${LOOP_ROW} ${where} ${IN_ORDER}`, values };
}

export const ITEMS = "SELECT DISTINCT kind, item FROM loops";
export const BRANCHES = "SELECT DISTINCT kind, summary ->> '$.branch' AS branch FROM loops WHERE branch IS NOT NULL";
export const TARGETS = `SELECT DISTINCT body ->> '$.into' AS target
  FROM loops JOIN events ON events.seq = loops.first_seq WHERE target IS NOT NULL`;
export const LOOPS_SINCE = `${LOOP_ROW} WHERE loop IN (SELECT DISTINCT loop FROM events WHERE seq > ?) ${IN_ORDER}`;

export const PROJECTED = "SELECT projected_seq FROM loops WHERE loop = ?";
export const MARK_PROJECTED = "UPDATE loops SET projected_seq = ?1 WHERE loop = ?2 AND projected_seq < ?1";
export const BEHIND = `${LOOP_ROW} WHERE last_seq > projected_seq ${IN_ORDER}`;

export const USE = "INSERT INTO usage (at, seq, tokens, cost_usd) VALUES (?, ?, ?, ?)";
export const USED_SINCE = "SELECT total(tokens) AS tokens, total(cost_usd) AS cost_usd FROM usage WHERE at >= ?";

const MESSAGE = "SELECT id, at, loop, body FROM inbox";
export const POST = "INSERT OR IGNORE INTO inbox (id, at, loop, body) VALUES (?, ?, ?, ?)";
export const WAITING = `${MESSAGE} WHERE taken_seq IS NULL ORDER BY place`;
export const WAITING_FOR = `${MESSAGE} WHERE taken_seq IS NULL AND loop = ? ORDER BY place`;
export const TAKE = "UPDATE inbox SET taken_seq = ?, reason = ? WHERE id = ? AND taken_seq IS NULL";
export const ANSWER = "SELECT taken_seq, reason FROM inbox WHERE id = ?";
