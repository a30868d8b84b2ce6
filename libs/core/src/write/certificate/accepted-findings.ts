import type { LoopEvent, LoopState, Policy, Severity, TrackedFinding } from "@anneal/types";
import { blocks } from "../../findings/blocking.ts";
import { atLeast } from "../../findings/severity-and-category.ts";

/** A finding that is still true of the change, or was set aside, and that the change goes with. */
export interface AcceptedFinding {
  fingerprint: string;
  severity: Severity;
  title: string;
  file: string | null;
  line: number | null;
  /** A person's ruling on it, a person's decision on the whole change, or the policy's own rule. */
  how: "dismissed" | "accepted-risk" | "deferred" | "with-the-change" | "below-threshold" | "not-confirmed";
  /** Null where that was nobody but the policy. */
  by: string | null;
  /** Null where the log knows none. */
  reason: string | null;
  at: string | null;
}

type Of<T extends LoopEvent["type"]> = Extract<LoopEvent, { type: T }>;
type Word = Pick<AcceptedFinding, "how" | "by" | "reason" | "at">;

/** Accepted findings, and on whose word. What blocks it, and what is settled in the code, is not among it. */
export function acceptedFindings(policy: Policy, state: LoopState, events: readonly LoopEvent[]): AcceptedFinding[] {
  const accept = acceptOf(state, events);
  return state.findings.flatMap((entry) => {
    const word = wordOn(policy, entry, { accept, events });
    const { severity, title, file = null, line = null } = entry.finding;
    return word === null ? [] : [{ fingerprint: entry.fingerprint, severity, title, file, line, ...word }];
  });
}

function wordOn(
  { name, pass }: Policy,
  { fingerprint, finding, disposition }: TrackedFinding,
  { accept, events }: { accept: Of<"signalled"> | null; events: readonly LoopEvent[] },
): Word | null {
  switch (disposition.kind) {
    case "dismissed":
    case "accepted-risk":
    case "deferred": {
      const { kind: how, by, reason } = disposition;
      const ruling = events.findLast((one) => one.type === "finding-disposed" && one.fingerprint === fingerprint);
      return { how, by, reason, at: ruling === undefined ? null : iso(ruling.at) };
    }
    case "open":
      break;
    default:
      return null;
  }
  if (accept !== null)
    return { how: "with-the-change", by: accept.by, reason: accept.note ?? null, at: iso(accept.at) };
  if (blocks(pass, finding)) return null;
  const { verification } = finding;
  if (atLeast(finding.severity, pass.blocksAt))
    return { how: "not-confirmed", by: verification?.by ?? null, reason: verification?.evidence ?? null, at: null };
  const reason = `${finding.severity}, and ${name} blocks at ${pass.blocksAt}`;
  return { how: "below-threshold", by: null, reason, at: null };
}

/** The word by which a person took the change with what was open, where it counted. */
function acceptOf(state: LoopState, events: readonly LoopEvent[]): Of<"signalled"> | null {
  const isAccepted = state.acceptedBy !== undefined || (state.stage === "ended" && state.outcome === "accepted");
  if (!isAccepted) return null;
  const said = events.filter((event) => event.type === "signalled");
  return said.findLast(({ signal, id }) => signal === "accept" && state.signals.includes(id)) ?? null;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
