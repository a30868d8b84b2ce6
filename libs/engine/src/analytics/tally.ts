import { counted, type Days } from "@anneal/core/analytics";
import { Follower } from "../history/follow.ts";
import type { ProjectStore } from "../history/store-log.ts";

/** What was counted of a log, up to and with an event. */
export interface Tally {
  /** Which log: another one may have been put in its place. */
  log: string | null;
  seq: number;
  days: Days;
}

/** Everything that the log holds by now, counted on from what was counted before where that is of the same log. */
export function tallied(store: ProjectStore, before: Tally | null): Tally {
  const log = nameOf(store);
  const goesOn = before !== null && before.log === log && before.seq <= store.lastSeq();
  let { seq, days }: Omit<Tally, "log"> = goesOn ? before : { seq: 0, days: {} };
  for (const news of new Follower(store, seq).news()) {
    days = counted(days, { event: news.event, before: news.before, after: news.state });
    seq = news.seq;
  }
  return { log, seq, days };
}

/** The first event of a log is as good as a name. */
export function nameOf(store: ProjectStore): string | null {
  const [first] = store.allEvents(0, 1);
  return first === undefined ? null : `${first.loop} ${first.event.at}`;
}
