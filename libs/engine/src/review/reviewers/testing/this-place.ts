import { type ReadingRoom, readingRoom } from "@anneal/adapters/reviewers/reading-room";
import type { Repo } from "@anneal/git";
import type { ReviewPlace } from "../../review-trees.ts";

/** A place that is there already, lent as it is. */
export function thisPlace(repo: Repo): ReviewPlace {
  return { lend: (_head, work) => work(repo) };
}

export function roomIn(repo: Repo): ReadingRoom {
  return readingRoom(thisPlace(repo));
}
