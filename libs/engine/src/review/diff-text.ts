import type { CopiedChange } from "@anneal/adapters/reviewers/tamper-guard";
import type { Coverage } from "@anneal/types";

/** Of a change that is shown with some of its files left out: what is shown, and what is not. */
export function asShown(
  { reviewed, skipped }: Coverage,
  shown: Pick<CopiedChange, "hidden"> | undefined,
): { coverage: Coverage; kept: Coverage["skipped"] } {
  const isShown = (file: string) => shown?.hidden.includes(file) !== true;
  return {
    coverage: { reviewed: reviewed.filter(isShown), skipped: skipped.filter(({ file }) => isShown(file)) },
    kept: (shown?.hidden ?? []).map((file) => ({
      file,
      reason: "hidden from a fresh reviewer",
      excused: "hidden" as const,
    })),
  };
}

export function withKept({ reviewed, skipped }: Coverage, kept: Coverage["skipped"]): Coverage {
  return { reviewed, skipped: [...skipped, ...kept] };
}

const NEXT_FILE = "\ndiff --git ";
const LONGEST_LINE_BYTES = 1024 * 1024;

/** Git's patch as a prompt shows it: a file with a line that is too long to read is named, and its lines are left out. */
export function shownPatch(given: string): string {
  // A NUL would end the text for some who read it; the sign for it does not.
  const patch = given.replaceAll("\0", "\u2400");
  if (!hasLongLine(patch)) return patch;
  // Lines of content begin with a sign of their own, so nothing but git writes this at the start of one.
  const parts = patch.split(NEXT_FILE);
  return parts.map((part) => (hasLongLine(part) ? headOf(part) : part)).join(NEXT_FILE);
}

function hasLongLine(text: string): boolean {
  // A character has at most three bytes in UTF-8 for each of its units.
  if (text.length * 3 <= LONGEST_LINE_BYTES) return false;
  return text.split("\n").some((line) => Buffer.byteLength(line) > LONGEST_LINE_BYTES);
}

function headOf(part: string): string {
  const hunks = part.indexOf("\n@@ ");
  return `${hunks < 0 ? part.slice(0, part.indexOf("\n")) : part.slice(0, hunks)}\n(not shown: line longer than 1 MB)`;
}
