import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@anneal/adapters";
import { whyIllegal } from "@anneal/adapters/features";
import { describeSeen, seenIn } from "@anneal/core";
import { currentLoop, historyOf, type MoveMeaning, meaningOfMove } from "@anneal/engine/project";
import {
  type ApiItem,
  type ApiMoveRequest,
  BoardStatus,
  type FeatureStatus,
  type PipelineStep,
  type Seen,
} from "@anneal/types";
import type { Voice } from "../auth/voice.ts";
import { onFiles } from "../file-problem.ts";
import { RequestProblem } from "../problem.ts";
import { isDoneIn } from "./item-index-card.ts";
import type { ServedProject } from "./served-project.ts";
import { tell } from "./tell.ts";

/** The columns of a board in their order: the project's own steps come after the review. */
export function columnsWith(steps: readonly Pick<PipelineStep, "id">[]): FeatureStatus[] {
  return BoardStatus.options.flatMap((column): FeatureStatus[] =>
    column === "code_review" ? [column, ...steps.map(({ id }): FeatureStatus => `pipeline_${id}`)] : [column],
  );
}

/** The project's own steps. */
export function stepsOf({ features }: ServedProject): Promise<PipelineStep[]> {
  return onFiles("pipeline.json", features.pipeline());
}

/** What dropping a card on each column would mean now. */
export async function movesOf(project: ServedProject, item: ApiItem): Promise<Map<FeatureStatus, MoveMeaning>> {
  const steps = await stepsOf(project);
  const row = currentLoop(project.store, item.id);
  const history = row === null ? null : historyOf(project.store, row);
  return new Map(columnsWith(steps).map((to) => [to, meaningOfMove({ ...item, history, steps }, to)]));
}

/** What there is to look at in an item's loop; null where it has none. */
export function seenOf({ store }: ServedProject, { id }: Pick<ApiItem, "id">): Seen | null {
  const row = currentLoop(store, id);
  return row === null ? null : seenIn(row.loop, historyOf(store, row).state);
}

/** Drops a card on a column. Tells whether that is done, or left to the owner of the project. */
export async function move(
  project: ServedProject,
  item: ApiItem,
  { to, note, seen, ifVersion }: ApiMoveRequest & { ifVersion?: string },
  { voice, clock }: { voice: Voice; clock: Clock },
): Promise<"done" | "queued"> {
  const moves = await movesOf(project, item);
  const meaning = moves.get(to) ?? { refused: `no column ${to}; known: ${[...moves.keys()].join(", ")}` };
  if ("refused" in meaning) throw new RequestProblem("conflict", refusal(item, to, meaning.refused, moves));
  const stillSeen = () => refuseOutdated(project, item, to, seen);
  switch (meaning.means) {
    case "signal":
      return (await tell(project, item.id, { signal: meaning.signal, note, seen }, { voice, clock })) === "queued"
        ? "queued"
        : "done";
    case "start":
      stillSeen();
      // Nothing is left to do for what is done, until it is put back.
      if (isDoneIn(item.column)) await mark(project, item.id, { to: "backlog", ifVersion, stillSeen });
      project.start(item.id, "web");
      return "queued";
    case "mark":
      // Nobody has reviewed it: whoever calls it done approves of it.
      voice(isDoneIn(to) ? "approve" : null);
      await mark(project, item.id, { to, ifVersion, stillSeen });
      return "done";
  }
}

/** A move is about what was on the screen, as a word to a loop is. */
function refuseOutdated(project: ServedProject, item: ApiItem, to: string, seen: Seen | undefined): void {
  const now = seenOf(project, item);
  if (seen === undefined || isDeepStrictEqual(now, seen)) return;
  const found = now === null ? "it has no loop now" : `the loop ${now.loop} is now at ${describeSeen(now)}`;
  const about = `the loop ${seen.loop} at ${describeSeen(seen)}`;
  throw new RequestProblem(
    "conflict",
    `the move to ${to} was meant for ${about}, but ${found}: reload the card, then move it again`,
  );
}

function refusal({ id }: ApiItem, to: string, why: string, moves: ReadonlyMap<FeatureStatus, MoveMeaning>): string {
  return `${id} cannot be moved to ${to}: ${why}; it can be moved to ${legalIn(moves)}`;
}

/** The columns that a card may be dropped on, for messages. */
export function legalIn(moves: ReadonlyMap<FeatureStatus, MoveMeaning>): string {
  const legal = [...moves].filter(([, one]) => !("refused" in one)).map(([column]) => column);
  return legal.join(", ") || "no other column";
}

async function mark(
  project: ServedProject,
  id: string,
  { to, ifVersion, stillSeen }: { to: FeatureStatus; ifVersion: string | undefined; stillSeen: () => void },
) {
  const { features, store } = project;
  const steps = await stepsOf(project);
  const change = <T extends { status?: FeatureStatus | undefined }>(feature: T) => {
    // A loop may have begun, and the file may have been changed, since the move was found legal.
    const row = currentLoop(store, id);
    if (row !== null && row.stage !== "ended")
      throw new RequestProblem("conflict", `${id} was started in the meantime: reload the card, then try again`);
    stillSeen();
    const illegal = whyIllegal(feature.status, to, { by: "person", steps });
    if (illegal !== null) throw new RequestProblem("conflict", illegal);
    return { ...feature, status: to };
  };
  await onFiles(`feature ${id}`, features.update(id, change, ifVersion === undefined ? {} : { ifVersion }));
}
