import type { Coverage } from "@anneal/types";

const NAMED = 3;

/** Why a pass says too much: nothing of the change was read, or some of it was not and holds it; undefined where it does not. */
export function unseenIn({ reviewed, skipped }: Coverage): string | undefined {
  // A lock file that fits was held against its manifest, and there is no more to it.
  const judged = reviewed.length > 0 || (skipped.length > 0 && skipped.every(({ excused }) => excused === "lock file"));
  if (!judged) return "no file of this change could be read, so nothing was reviewed";
  const holding = skipped.filter(({ excused }) => excused === undefined);
  if (holding.length === 0) return undefined;
  const named = holding.slice(0, NAMED).map(({ file, reason }) => `${file} (${reason})`);
  const rest = holding.length - named.length;
  const files = [...named, ...(rest > 0 ? [`${rest} more`] : [])].join(", ");
  return `nothing blocks, but the reviewer did not read these files: ${files}. If they need no review, list them under waivedPaths in the settings`;
}
