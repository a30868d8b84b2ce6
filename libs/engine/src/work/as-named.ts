import type { PlayedBy } from "@anneal/types";

/** Who played, and how the run named it where the loop is bound to another. */
export function asNamed(by: PlayedBy, named: string | undefined): PlayedBy {
  return named === undefined ? by : { ...by, named };
}
