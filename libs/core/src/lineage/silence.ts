import type { Ruling, TrackedFinding } from "@anneal/types";
import { isMet } from "../gate/requirements.ts";
import type { Observation } from "./lineage.ts";

/** Whether a review has yet to say what became of a finding. */
export function awaitsRuling({ disposition }: TrackedFinding): boolean {
  return disposition.kind === "open" || (disposition.kind === "fixed" && disposition.unconfirmed === true);
}

/** What becomes of a finding that the report does not list. */
export function absent(entry: TrackedFinding, seen: Observation): TrackedFinding {
  if (!awaitsRuling(entry)) return entry;
  const ruling = seen.report.rulings.find((r) => r.fingerprint === entry.fingerprint);
  switch (ruling?.ruling) {
    case "fixed":
      return resolved(entry, { kind: "fixed", commit: seen.head });
    case "refuted":
      return resolved(entry, { kind: "refuted", evidence: evidenceOf(entry, ruling) });
    case "open":
      return { ...stillOpen(entry), lastRound: seen.round };
    default:
      return passedOver(entry, seen);
  }
}

/** Silence closes nothing but what has lost its code, and only an approval closes that for good (docs/decisions/0003). */
function passedOver(entry: TrackedFinding, seen: Observation): TrackedFinding {
  const { report, approves = report.claim !== "fail", earlierFindings } = seen;
  // What a review says of it may be in the part that could not be read.
  if (report.partlyRead === true) return stillOpen(entry);
  const isFresh = earlierFindings === "fresh";
  // A fresh reviewer cannot rule on it, so it holds until somebody else does.
  if (entry.strayed !== undefined) return isFresh ? { ...stillOpen(entry), lastRound: seen.round } : stillOpen(entry);
  const { file, line } = entry.finding;
  const commit = entry.disposition.kind === "fixed" ? entry.disposition.commit : seen.head;
  const isGone = file !== undefined && line !== undefined && !seen.standing.includes(entry.fingerprint);
  if (isMet(entry.finding, report) || (isGone && (approves || isFresh)))
    return resolved(entry, { kind: "fixed", commit });
  if (isFresh) return resolved(entry, { kind: "passed-over", head: seen.head });
  return isGone ? resolved(entry, { kind: "fixed", commit, unconfirmed: true }) : stillOpen(entry);
}

function stillOpen(entry: TrackedFinding): TrackedFinding {
  return { ...entry, lifecycle: "persisting", disposition: { kind: "open" } };
}

function resolved(entry: TrackedFinding, disposition: TrackedFinding["disposition"]): TrackedFinding {
  return { ...entry, lifecycle: "resolved", disposition };
}

function evidenceOf(entry: TrackedFinding, ruling: Ruling): string {
  return ruling.evidence ?? entry.refutation ?? "the reviewer ruled that the finding is wrong";
}
