import type { ApiFinding, DispositionAction, LoopEvent, LoopState, Policy, TrackedFinding } from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { blocks } from "../findings/blocking.ts";
import { awaitsRuling } from "../lineage/silence.ts";
import type { RoundRecord } from "./round-records.ts";

export interface FindingsSource {
  policy: Policy;
  state: LoopState;
  events: readonly LoopEvent[];
  rounds: readonly RoundRecord[];
}

/** Every finding of a loop with its way over the rounds: those that block first, then by severity, then as they came. */
export function findingsOf(source: FindingsSource): ApiFinding[] {
  return source.state.findings.map((entry) => findingOf(source, entry)).sort(byUrgency);
}

/** What a person may do about a finding now. */
export function actionsOn({ stage }: Pick<LoopState, "stage">, entry: TrackedFinding): DispositionAction[] {
  const { disposition } = entry;
  if (stage === "ended") return [];
  // A fixer gets only what is open.
  if (awaitsRuling(entry))
    return ["dismiss", "accept-risk", "defer", ...(disposition.kind === "open" ? (["tell"] as const) : [])];
  switch (disposition.kind) {
    case "open":
    case "dismissed":
      return ["accept-risk", "defer", "reopen"];
    case "accepted-risk":
      return ["dismiss", "defer", "reopen"];
    case "deferred":
      return ["dismiss", "accept-risk", "reopen"];
    case "fixed":
    case "refuted":
    case "passed-over":
      return [];
  }
}

function findingOf({ policy, state, events, rounds }: FindingsSource, entry: TrackedFinding): ApiFinding {
  const { fingerprint, finding, lifecycle, origin, disposition, firstRound, lastRound, refutation = null } = entry;
  return {
    fingerprint,
    finding,
    lifecycle,
    origin,
    disposition,
    firstRound,
    foundAt: rounds.find(({ round }) => round.number === firstRound)?.round.reviewedAt ?? null,
    lastRound,
    blocks: disposition.kind === "open" && blocks(policy.pass, finding),
    refutation,
    rounds: rounds.flatMap((record) => inRound(record, fingerprint)),
    fix: fixOf(state, rounds, entry),
    rulings: events.flatMap((event) =>
      event.type === "finding-disposed" && event.fingerprint === fingerprint
        ? [{ at: event.at, by: event.by, disposition: event.disposition, reason: event.reason }]
        : [],
    ),
    actions: actionsOn(state, entry),
  };
}

function inRound({ round, ledger }: RoundRecord, fingerprint: string): ApiFinding["rounds"] {
  const entry = ledger.find((one) => one.fingerprint === fingerprint);
  if (entry === undefined) return [];
  const { lifecycle, disposition, finding, lastRound } = entry;
  return [
    {
      round: round.number,
      lifecycle,
      disposition: disposition.kind,
      severity: finding.severity,
      reported: lastRound === round.number,
      file: finding.file ?? null,
      line: finding.line ?? null,
    },
  ];
}

/** Which commit a review took for the fix, and which of its lines are nearest to where the finding was. */
function fixOf(
  { fixes }: LoopState,
  rounds: readonly RoundRecord[],
  { disposition, finding }: TrackedFinding,
): ApiFinding["fix"] {
  if (disposition.kind !== "fixed") return null;
  const { commit } = disposition;
  const index = rounds.findIndex(({ round }) => round.head === commit);
  const before = rounds[index - 1]?.round.number;
  if (before === undefined) return null;
  const ranges = fixes
    .filter(({ round }) => round === before)
    .flatMap(({ regions }) => regions.filter(({ file }) => file === finding.file).flatMap((region) => region.ranges));
  const line = finding.line ?? 1;
  const nearest = [...ranges].sort((a, b) => distance(a, line) - distance(b, line))[0];
  const hunk =
    nearest === undefined || finding.file === undefined
      ? null
      : { file: finding.file, start: nearest[0], end: nearest[1] };
  return { commit, round: before, hunk };
}

function distance([start, end]: readonly [number, number], line: number): number {
  return line < start ? start - line : Math.max(0, line - end);
}

function byUrgency(a: ApiFinding, b: ApiFinding): number {
  const rank = ({ blocks: blocking, disposition, finding }: ApiFinding) =>
    (blocking ? 0 : disposition.kind === "open" ? 10 : 20) + SEVERITIES.indexOf(finding.severity);
  return rank(a) - rank(b);
}
