import { type DateRange, daysIn, summaryOfDays } from "@anneal/core/analytics";
import type { ApiAnalytics } from "@anneal/types";
import type { ProjectReader } from "../history/reader.ts";
import { formulaOf, readTally, writeTally } from "./analytics-file.ts";
import { type Tally, tallied } from "./tally.ts";

type Read = Pick<ProjectReader, "root" | "store">;

/** How the loops of a project do. Nothing is written: what the file does not know yet is counted from the log. */
export async function analyticsOf({ root, store }: Read, range: DateRange = {}): Promise<ApiAnalytics> {
  const tally = store === null ? EMPTY : tallied(store, await readTally(root));
  return await reported(root, tally, range);
}

/** Counts the whole log anew, and writes the file. */
export async function rebuildAnalytics({ root, store }: Read, range: DateRange = {}): Promise<ApiAnalytics> {
  const tally = store === null ? EMPTY : tallied(store, null);
  if (store !== null) await writeTally(root, tally);
  return await reported(root, tally, range);
}

const EMPTY: Tally = { log: null, seq: 0, days: {} };

async function reported(root: string, { seq, days }: Tally, { from, to }: DateRange): Promise<ApiAnalytics> {
  const within = daysIn(days, { from, to });
  const summary = summaryOfDays(within, await formulaOf(root));
  return { from: from ?? null, to: to ?? null, seq, summary, days: within };
}
