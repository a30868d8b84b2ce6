import type { ApiFinding } from "@anneal/types";

/** What was changed between two rounds, and where in it to look. */
export interface FixPlace {
  from: string;
  to: string;
  file: string | undefined;
  line: number | undefined;
}

/** Where to see what settled a finding: between the round that found it last and the one after; null while it is not fixed. */
export function fixPlace({ fix }: Pick<ApiFinding, "fix">): FixPlace | null {
  if (fix === null) return null;
  return { from: String(fix.round), to: String(fix.round + 1), file: fix.hunk?.file, line: fix.hunk?.start };
}
