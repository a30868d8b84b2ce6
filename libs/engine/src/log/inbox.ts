import type { Clock } from "@anneal/adapters";
import { failpoint } from "@anneal/system/failpoint";
import { inboxRow } from "./rows.ts";
import { ANSWER, POST, TAKE, WAITING, WAITING_FOR } from "./statements.ts";
import { StoreError } from "./store-error.ts";
import type { Session } from "./store-session.ts";

export interface InboxRow {
  id: string;
  at: number;
  loop: string | null;
  body: unknown;
}

/** What became of a message; one that was refused carries the reason. */
export interface InboxAnswer {
  taken: boolean;
  reason: string | null;
}

/** Messages from any process to the owner of the project. */
export interface Inbox {
  /** Leaves a message for the owner, from any process. The same id twice is one message; false says it was there. */
  post(message: { id: string; loop: string | null; body: unknown }): boolean;
  /** The messages that no event was made of yet, in the order in which they came. */
  takeInbox(loop?: string): InboxRow[];
  /** Ends messages that became no event of their own: `seq` is the event that answers them, or the last one. */
  markTaken(ids: readonly string[], seq: number, reason?: string): void;
  /** A message that nobody has left is one that is not taken. */
  inboxAnswer(id: string): InboxAnswer;
}

export function inboxOf(session: Session, clock: Pick<Clock, "now">): Inbox {
  return {
    post: ({ id, loop, body }) => {
      const text = JSON.stringify(body ?? null);
      failpoint("inbox.post.before");
      const changes = session.write(() => session.run(POST, id, clock.now(), loop, text));
      failpoint("inbox.post.after");
      return changes === 1;
    },
    takeInbox: (loop) => (loop === undefined ? session.all(WAITING) : session.all(WAITING_FOR, loop)).map(inboxRow),
    markTaken: (ids, seq, reason) => {
      session.write(() => {
        for (const id of ids) session.run(TAKE, seq, reason ?? null, id);
      });
    },
    inboxAnswer: (id) => {
      const { taken_seq = null, reason = null } = session.all(ANSWER, id)[0] ?? {};
      return { taken: taken_seq !== null, reason: reason === null ? null : String(reason) };
    },
  };
}

/** Within a transaction: ends the message that an event is made of. */
export function takeMessage(session: Session, id: string, seq: number): void {
  if (session.run(TAKE, seq, null, id) === 1) return;
  throw new StoreError("taken", `The inbox holds no waiting message ${id}.`);
}
