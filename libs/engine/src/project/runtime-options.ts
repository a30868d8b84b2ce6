import type { Clock } from "@anneal/adapters";
import type { Cast } from "../assemble.ts";
import type { LoopNotification } from "../history/notification.ts";
import type { Wish } from "../history/wish.ts";
import type { Secrets } from "../log/discretion.ts";
import type { AgentActivity } from "../loop/recorder.ts";
import type { Progress } from "./review-progress.ts";

export interface RuntimeOptions {
  root: string;
  clock: Clock;
  /** Agents named for this run; for the rest hold those that a loop is bound to, then the settings. */
  cast?: Partial<Cast>;
  /** A policy and a base for new loops, over what their items say. */
  wish?: Omit<Wish, "cast">;
  /** Whether this run was asked for an item, so that the agents and terms it names are meant for it; every item unless told. */
  isMeant?: (key: string) => boolean;
  /** What the caller holds and nobody may read, asked for before each run; what the settings and the environment hold is known. */
  secrets?: () => Secrets;
  /** Told of every event once it is safe: for progress, and for the bus. */
  onEvent?: (told: LoopNotification) => void;
  /** Told of what agents do while they do it; of that only the record is kept. */
  onSeen?: (seen: AgentActivity) => void;
  /** Told of what reviewers of features say while they say it, in seed 000's name for that; of that, too, only the record is kept. */
  onProgress?: (progress: Progress) => void;
  /** Told of what goes wrong beside the loops, such as a file that could not be written. */
  onTrouble?: (item: string, message: string) => void;
}

/** What this run wants of an item. One that only goes on here, since nobody else runs the project, keeps what it began with. */
export function ownWish({ cast = {}, wish, isMeant = () => true }: RuntimeOptions, key: string): Wish {
  return isMeant(key) ? { ...wish, cast } : {};
}
