import type { ApiItem } from "@anneal/types";
import { RequestProblem } from "../problem.ts";
import { isDoneIn } from "./item-index-card.ts";
import { legalIn, movesOf } from "./item-moves.ts";
import type { ServedProject } from "./served-project.ts";

/** Asks for an item to be run, unless nothing could come of that. */
export async function startItem(project: ServedProject, item: ApiItem): Promise<void> {
  const { id, damaged, column, loop } = item;
  if (damaged !== null) throw new RequestProblem("conflict", `${id} cannot be read; fix its file: ${damaged}`);
  if (isDoneIn(column) && (loop === null || loop.stage === "ended")) {
    const moves = legalIn(await movesOf(project, item));
    throw new RequestProblem(
      "conflict",
      `${id} is already ${column}, so there is nothing to start; it can be moved to ${moves}`,
    );
  }
  project.start(id, "web");
}
