import type { Clock } from "@anneal/adapters";
import type { Repo } from "@anneal/git";
import type { LoopEvent } from "@anneal/types";
import type { AppendedEvent } from "../history/appended-event.ts";
import { eventsAfterStart, historyOf, startOf } from "../history/loop-history.ts";
import { isEventMessage, type ProjectStore, storeLog } from "../history/store-log.ts";
import type { LoopSummary } from "../history/summary.ts";
import type { LogLoopRow } from "../log/index.ts";
import type { ExternalEvent } from "../loop/engine.ts";
import { LoopEngine } from "../loop/loop-engine.ts";
import { movedSince } from "../work/moved-since.ts";

/** As the owner, takes the next word for a loop that is not running; null when none is left that changes anything. */
export async function applyNextSignal(
  store: ProjectStore,
  clock: Clock,
  row: LogLoopRow<LoopSummary>,
  tipOf: (branch: string) => Promise<string | null>,
  clean: <E extends LoopEvent>(event: E) => E,
): Promise<AppendedEvent | null> {
  await refuseUnseen(store, row, tipOf);
  const { loop: loopId, kind, item, summary } = row;
  const started = startOf(store, loopId);
  const { policy } = started;
  const log = storeLog(store, { loopId, kind, item, title: summary.title, branch: summary.branch, policy });
  const appended: AppendedEvent[] = [];
  const engine = new LoopEngine({
    policy,
    log,
    clock,
    shutdown: new AbortController().signal,
    clean,
    onEvent: (event, before, after) => appended.push({ event, before, after, seq: log.lastSeq() }),
  });
  // From the replay to the append nothing is awaited, so no other work on this loop can come in between.
  const state = engine.resume(started, eventsAfterStart(store, loopId));
  if (appended.length === 0) await engine.signal(state);
  return appended[0] ?? null;
}

/**
 * Where a killed process had moved the files of a branch and not yet the branch, they are put back before a person's signal is
 * taken: a loop that ends there never moves it, and one that goes on moves it anew.
 */
export async function undoHalfDoneMoves(
  repo: Pick<Repo, "undoMove">,
  store: ProjectStore,
  { loop, stage, summary }: LogLoopRow<LoopSummary>,
): Promise<void> {
  if (!MOVES_A_BRANCH.includes(stage)) return;
  const isSignal = ({ body }: { body: unknown }) => isEventMessage(body) && body.event.type === "signalled";
  if (!store.takeInbox(loop).some(isSignal)) return;
  const branches = new Set([summary.branch, startOf(store, loop).into]);
  for (const branch of branches) if (typeof branch === "string" && branch !== "") await repo.undoMove(branch);
}

const MOVES_A_BRANCH: readonly string[] = ["committing", "merging"];

const TAKES_THE_RESULT = ["approve", "accept", "ready"];

/** Refuses words that take the result as it is while the branch holds something that nobody has reviewed. */
async function refuseUnseen(
  store: ProjectStore,
  row: LogLoopRow<LoopSummary>,
  tipOf: (branch: string) => Promise<string | null>,
): Promise<void> {
  const { branch } = row.summary;
  const words = store.takeInbox(row.loop).filter(({ body }) => isEventMessage(body) && takesTheResult(body.event));
  if (words.length === 0 || branch === null) return;
  const { head, documents } = historyOf(store, row).state;
  const tip = await tipOf(branch);
  const known = [head, typeof documents === "object" ? documents.commit : null];
  if (head === null || tip === null || known.includes(tip)) return;
  store.markTaken(
    words.map(({ id }) => id),
    store.lastSeq(),
    movedSince(branch, head, tip),
  );
}

function takesTheResult(word: ExternalEvent): boolean {
  return word.type === "signalled" && TAKES_THE_RESULT.includes(word.signal);
}

/** Where a branch stands; null where there is none. */
export function tipIn(repo: Repo): (branch: string) => Promise<string | null> {
  return (branch) => repo.resolve(`refs/heads/${branch}`).catch(() => null);
}
