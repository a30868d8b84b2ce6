import type { Clock } from "@anneal/adapters";
import type { Cast } from "../assemble.ts";
import type { LoopNotification } from "../history/notification.ts";
import type { RunOverrides } from "../history/run-overrides.ts";
import type { Secrets } from "../log/secret-mask.ts";
import type { AgentActivity } from "../loop/recorder.ts";
import type { Progress } from "./review-progress.ts";

export interface RuntimeOptions {
  root: string;
  clock: Clock;
  /** Agents named for this run; for the rest hold those that a loop is bound to, then the settings. */
  cast?: Partial<Cast>;
  /** A policy and a base for new loops, over what their items say. */
  overrides?: Omit<RunOverrides, "cast">;
  /**
   * Keys of the items that a process which does not stay was asked for. Of features it then looks only at these, at those with an
   * open loop and at those that it runs; whoever stays with a project looks at all of them.
   */
  only?: readonly string[];
  /** Whether this run was asked for an item, so that the agents and terms it names are meant for it; every item by default. */
  isMeant?: (key: string) => boolean;
  /** What the caller holds and nobody may read, asked for before each run; what the settings and the environment hold is known. */
  secrets?: () => Secrets;
  /** Called with every event once it is safe: for progress, and for the bus. */
  onEvent?: (notification: LoopNotification) => void;
  /** Called with what agents do while they do it; only the record of that is kept. */
  onSeen?: (seen: AgentActivity) => void;
  /** Called with what reviewers of features say while they say it, under seed 000's name; only the record of that is kept, too. */
  onProgress?: (progress: Progress) => void;
  /** Called with what goes wrong outside the loops, such as a file that could not be written. */
  onTrouble?: (item: string, message: string) => void;
}

/** What this run wants of an item. One that only goes on here, since nobody else runs the project, keeps what it began with. */
export function ownOverrides(
  { cast = {}, overrides, isMeant = () => true }: RuntimeOptions,
  key: string,
): RunOverrides {
  return isMeant(key) ? { ...overrides, cast } : {};
}
