import type { TrackedFinding } from "@anneal/types";
import { oneLine } from "../text/text.ts";

export interface HeldBackBy {
  /** Earlier findings that the review says nothing about. */
  silent: readonly TrackedFinding[];
  /** Earlier findings that it says are still there. */
  denied: readonly TrackedFinding[];
  /** What else blocks, counted in words; null where nothing does. */
  others: string | null;
}

/** Why a change does not pass that its reviewer lets through. */
export function approvedBut(said: string, { silent, denied, others }: HeldBackBy): string {
  const why = [
    silent.length > 0 ? `did not rule on ${earlier(silent.length)}: ${titles(silent).join("; ")}` : null,
    denied.length > 0 ? `says ${quoted(denied)} still open` : null,
    others,
  ].filter((one) => one !== null);
  const last = why.length > 1 ? `, and ${why.at(-1)}` : "";
  return `${said}, but ${why.slice(0, why.length > 1 ? -1 : 1).join(", ")}${last}`;
}

function earlier(count: number): string {
  return count === 1 ? "1 earlier finding" : `${count} earlier findings`;
}

function quoted(entries: readonly TrackedFinding[]): string {
  const [only = "", ...more] = titles(entries).map((title) => `"${title}"`);
  return more.length === 0 ? `${only} is` : `${[only, ...more].join(", ")} are`;
}

const NAMED = 5;

function titles(entries: readonly TrackedFinding[]): string[] {
  const named = entries.slice(0, NAMED).map(({ finding }) => oneLine(finding.title));
  return entries.length > NAMED ? [...named, `${entries.length - NAMED} more`] : named;
}
