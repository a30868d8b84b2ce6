import { epicState, mergeEpicState, reviewReports } from "@anneal/core/epics";
import { failpoint } from "@anneal/system/failpoint";
import type { EpicState, LoopState } from "@anneal/types";
import type { About } from "../../items/kind.ts";
import { type EpicIndex, namesIn } from "./epic-index.ts";
import type { EpicLog } from "./log.ts";
import type { LostMerges } from "./lost-merges.ts";

export interface EpicFacts {
  book: EpicIndex;
  log: EpicLog;
  lostIn: LostMerges;
}

/** Writes what the log says about an epic into its epic-state.json; what is not ours in it stays as it is. */
export async function projectEpic({ book, log, lostIn }: EpicFacts, id: string): Promise<void> {
  const { epic, files } = await book.open(id);
  const lost = await lostIn(id);
  const stateOver = (state: EpicState | null) => epicState(log.account({ epic, state }, lost).progress);
  failpoint("epic.state.before");
  // Two tickets may come here at once: each computes from the log while the file is held.
  await files.update((before) => mergeEpicState(before, stateOver(before)), { whenMissing: stateOver(null) });
  failpoint("epic.state.after");
}

/** Writes the full reports of a ticket's reviews next to the state of its epic. */
export async function projectTicket(
  facts: EpicFacts,
  { id, policy }: About,
  state: LoopState,
  since: LoopState | null,
): Promise<void> {
  const { epicId, ticketId } = namesIn(id);
  const fresh = state.rounds.slice(since?.rounds.length ?? 0);
  if (fresh.length > 0) {
    const { files } = await facts.book.open(epicId);
    const reports = reviewReports(ticketId, { policy, state: { ...state, rounds: fresh } });
    failpoint("ticket.reports.before");
    for (const report of reports) await files.writeReport(report);
    failpoint("ticket.reports.after");
  }
  await projectEpic(facts, epicId);
}
