import type { Cast } from "../assemble.ts";

/** What somebody wants of a run, over what the item and the settings say. */
export interface RunOverrides {
  cast?: Partial<Cast>;
  /** The name of a policy. */
  policy?: string;
  /** The ref that a branch is compared with. */
  base?: string;
  /** The branch that takes the work in. */
  into?: string;
}
