import { failpoint } from "@anneal/system/failpoint";
import { type DeliveryState, NotifyMessage } from "@anneal/types";
import type { Row } from "./sql.ts";
import type { Session } from "./store-session.ts";

/** A message to people on its way over one channel. */
export interface Notice {
  key: string;
  channel: string;
  /** The loop that it is about; empty for a test. */
  loop: string;
  at: number;
  message: NotifyMessage;
  state: DeliveryState;
  attempts: number;
  notBefore: number;
  /** Quiet hours kept it back. */
  held: boolean;
  triedAt: number | null;
  why: string | null;
}

export type NewNotice = Pick<Notice, "key" | "channel" | "loop" | "at" | "message"> & { state?: "sending" };

export interface NoticeMove {
  state: DeliveryState;
  /** It is tried now. */
  triedAt?: number;
  notBefore?: number;
  held?: true;
  why?: string;
}

/** Messages to people: on record before they are sent, so that none is sent twice. */
export interface Outbox {
  /** The loops that have waited for a person or ended after this event. */
  restedSince(seq: number): string[];
  /** The last event that was looked at for news. */
  noticedSeq(): number;
  /** Notes news up to an event. What is known already stays as it is. */
  note(news: readonly NewNotice[], seq: number): void;
  notices(): Notice[];
  /** The waiting ones of a channel whose time has come, oldest first. */
  dueNotices(channel: string, now: number): Notice[];
  /** The channels that have waiting ones, and when the first of these is due. */
  waitingNotices(): { channel: string; at: number }[];
  moveNotices(notices: readonly Pick<Notice, "key" | "channel">[], to: NoticeMove): void;
  /** Forgets what was done with before a moment. */
  forgetNotices(before: number): void;
}

const NOTICE = `SELECT key, channel, loop, at, message, state, attempts, not_before, held, tried_at, why FROM notices`;
const RESTED_SINCE = "SELECT DISTINCT loop FROM events WHERE seq > ? AND stage IN ('waiting-for-human', 'ended')";
const NOTE = `INSERT OR IGNORE INTO notices (key, channel, loop, at, message, state, not_before) VALUES (?, ?, ?, ?, ?, ?, ?)`;
const MOVE = `UPDATE notices SET state = ?1, tried_at = coalesce(?2, tried_at), attempts = attempts + (?2 IS NOT NULL),
  not_before = coalesce(?3, not_before), held = max(held, ?4), why = ?5 WHERE key = ?6 AND channel = ?7`;
const WAITING = "SELECT channel, min(not_before) AS at FROM notices WHERE state = 'waiting' GROUP BY channel";

export function outboxOf(session: Session): Outbox {
  return {
    restedSince: (seq) => session.all(RESTED_SINCE, seq).map(({ loop }) => String(loop)),
    noticedSeq: () => Number(session.all("SELECT seq FROM noticed")[0]?.seq ?? 0),
    note(news, seq) {
      failpoint("notice.note.before");
      session.write(() => {
        for (const { key, channel, loop, at, message, state = "waiting" } of news)
          session.run(NOTE, key, channel, loop, at, JSON.stringify(message), state, at);
        session.run("UPDATE noticed SET seq = max(seq, ?)", seq);
      });
      failpoint("notice.note.after");
    },
    notices: () => session.all(`${NOTICE} ORDER BY at, key`).flatMap(noticeRow),
    dueNotices: (channel, now) =>
      session
        .all(`${NOTICE} WHERE state = 'waiting' AND channel = ? AND not_before <= ? ORDER BY at, key`, channel, now)
        .flatMap(noticeRow),
    waitingNotices: () => session.all(WAITING).map(({ channel, at }) => ({ channel: String(channel), at: Number(at) })),
    moveNotices(notices, { state, triedAt = null, notBefore = null, held, why = null }) {
      session.write(() => {
        for (const { key, channel } of notices)
          session.run(MOVE, state, triedAt, notBefore, held === true ? 1 : 0, why, key, channel);
      });
    },
    forgetNotices(before) {
      session.writeUnsynced(() =>
        session.run("DELETE FROM notices WHERE at < ? AND state NOT IN ('waiting', 'sending')", before),
      );
    },
  };
}

/** A row that cannot be read is passed over: nobody is told of it. */
function noticeRow(row: Row): Notice[] {
  const message = NotifyMessage.safeParse(JSON.parse(String(row.message)));
  if (!message.success) return [];
  return [
    {
      key: String(row.key),
      channel: String(row.channel),
      loop: String(row.loop),
      at: Number(row.at),
      message: message.data,
      state: row.state as DeliveryState,
      attempts: Number(row.attempts),
      notBefore: Number(row.not_before),
      held: row.held === 1,
      triedAt: row.tried_at === null ? null : Number(row.tried_at),
      why: row.why === null ? null : String(row.why),
    },
  ];
}
