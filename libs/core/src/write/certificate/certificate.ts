import type {
  Coverage,
  Disposition,
  Finding,
  ItemRef,
  Lifecycle,
  LoopEvent,
  LoopState,
  Origin,
  Outcome,
  PlayedBy,
  Policy,
  Severity,
  Stage,
  Verdict,
  Verification,
} from "@anneal/types";
import { SEVERITIES } from "@anneal/types/scales";
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { withUsage } from "../../agents/believable.ts";
import { REQUIREMENTS_NOT_JUDGED_IN_FULL } from "../../gate/not-judged.ts";
import { earned } from "../../loop/exits.ts";
import { type AcceptedFinding, acceptedFindings } from "./accepted-findings.ts";
import { type CertifiedChecks, certifiedChecks } from "./certified-checks.ts";
import { playedParts } from "./played.ts";

/** What was reviewed, by whom, with what result. It holds for exactly one base and one head. */
export interface Certificate {
  /** First, for nobody may read a pass as more than it is. */
  notJudged: string[];
  schemaVersion: 1;
  item: ItemRef & { title: string };
  loop: string;
  branch: string | null;
  base: string;
  /** What somebody merged, where nobody has reviewed that. */
  head: string | null;
  /** The commit on top of the head that holds the findings documents of the reviews, and changes nothing else. */
  documents?: string;
  /** Whether the verdict passes, leaves nothing unjudged that its policy wants judged, and is about what the branch holds now. */
  holds: boolean;
  verdict: { result: Verdict["result"]; reason: string; requirementsJudged: boolean };
  stage: Stage;
  outcome: Outcome | null;
  detail: string;
  policy: { name: string; hash: string; because: string };
  /** Who played which part, whoever the loop is bound to. */
  agents: Record<string, string>;
  promptsHash: string;
  /** Items that it builds on and that nobody reviewed: marked as done by hand, merged so, or called completed by a file only. */
  unreviewed?: string[];
  checks: CertifiedChecks;
  reviewers: PlayedBy[];
  /** Of the last round: what its reviewer saw and what it did not. */
  coverage: Coverage | null;
  /** Secrets in the commits between base and head that no person has ruled on; null where these could not be searched. */
  secrets: CertifiedSecret[] | null;
  rounds: CertifiedRound[];
  findings: CertifiedFinding[];
  /** Those of them that the change goes with, and on whose word. */
  accepted: AcceptedFinding[];
  decisions: PersonsDecision[];
  usage: { tokens: number; costUsd: number };
  startedAt: string;
  lastAt: string;
}

/** Named by its location, never by itself. */
export interface CertifiedSecret {
  fingerprint: string;
  said: string;
}

interface CertifiedRound {
  number: number;
  head: string;
  reviewedAt: string;
  verdict: Verdict["result"];
  reason: string;
  findings: Record<Severity, number>;
  by: PlayedBy;
}

interface CertifiedFinding {
  fingerprint: string;
  rule: string | null;
  category: Finding["category"];
  severity: Severity;
  title: string;
  file: string | null;
  line: number | null;
  firstRound: number;
  lastRound: number;
  lifecycle: Lifecycle;
  origin: Origin;
  disposition: Disposition;
  /** Which of several reviewers reported it, and what the agent says that had to confirm it. */
  seenBy?: string[];
  verification?: Verification;
}

/** A person's signal that the loop applied. */
export interface PersonsDecision {
  at: string;
  by: string;
  what: string;
  note: string | null;
}

export interface CertificateSource {
  events: readonly LoopEvent[];
  state: LoopState;
  title: string;
  branch: string | null;
  /** Where the branch stands now; null where there is none to look at. */
  branchHead: string | null;
  /** What a search of its commits found; null where that could not be done. */
  secrets: readonly CertifiedSecret[] | null;
}

/** Puts a loop's certificate together; null for a log that does not begin with a start. */
export function certificate(source: CertificateSource): Certificate | null {
  const { events, state, title, branch, branchHead, secrets } = source;
  const [started] = events;
  if (started?.type !== "loop-started") return null;
  const documents = documentsOn(state);
  const moved = branchHead !== null && state.head !== null && ![state.head, documents].includes(branchHead);
  const verdict = leaky(verdictOf(state, moved), secrets);
  return {
    notJudged: [...(verdict.requirementsJudged ? [] : [REQUIREMENTS_NOT_JUDGED_IN_FULL]), ...waivedIn(state)],
    schemaVersion: 1,
    item: { ...started.item, title },
    loop: started.loopId,
    branch,
    base: state.base,
    head: state.pr?.mergedHead ?? state.head,
    ...(documents === null ? {} : { documents }),
    holds: earned(state) && !moved && requirementsSettled(started.policy, state) && secrets?.length === 0,
    verdict,
    stage: state.stage,
    outcome: state.stage === "ended" ? state.outcome : null,
    detail: "detail" in state ? state.detail : "",
    policy: { name: started.policy.name, hash: policyHash(started.policy), because: started.because },
    agents: playedParts(started.agents, events),
    promptsHash: started.promptsHash,
    ...(started.unreviewed === undefined ? {} : { unreviewed: started.unreviewed }),
    checks: certifiedChecks(state, events),
    reviewers: distinct(state.rounds.map((round) => round.by)),
    coverage: state.rounds.at(-1)?.coverage ?? null,
    secrets: secrets === null ? null : [...secrets],
    rounds: state.rounds.map(certifiedRound),
    findings: state.findings.map(certifiedFinding),
    accepted: acceptedFindings(started.policy, state, events),
    decisions: decisionsIn(events),
    usage: usageOf(events),
    startedAt: iso(state.startedAt),
    lastAt: iso(state.lastAt),
  };
}

/** Somebody answers for what nobody read, and has to be seen to. */
function waivedIn({ rounds }: LoopState): string[] {
  const skipped = rounds.at(-1)?.coverage.skipped ?? [];
  return skipped.flatMap(({ file, reason, excused }) =>
    excused === "waived" ? [`not read: ${file} (${reason})`] : [],
  );
}

function documentsOn({ head, documents }: LoopState): string | null {
  if (typeof documents !== "object" || documents.of !== head || documents.commit === head) return null;
  return documents.commit;
}

/** The name of a policy's content: equal rules have equal hashes, whatever the order of their keys. */
export function policyHash(policy: Policy): string {
  return bytesToHex(sha256(utf8ToBytes(canonical(policy))));
}

/** What people decided, in the order in which the loop applied it. */
export function decisionsIn(events: readonly LoopEvent[]): PersonsDecision[] {
  return events.flatMap((event): PersonsDecision[] => {
    if (event.type === "signalled") {
      return [{ at: iso(event.at), by: event.by, what: event.signal, note: event.note ?? null }];
    }
    if (event.type !== "finding-disposed") return [];
    return [{ at: iso(event.at), by: event.by, what: `${event.disposition} ${event.fingerprint}`, note: event.reason }];
  });
}

function verdictOf({ head, verdict, pr }: LoopState, moved: boolean): Certificate["verdict"] {
  const nothing = { result: "inconclusive", requirementsJudged: false } as const;
  if (verdict === null) return { ...nothing, reason: "no review gave a verdict" };
  if (pr?.mergedHead !== undefined) {
    return { ...nothing, reason: `the merged head is not ${verdict.head}, the last reviewed commit` };
  }
  if (verdict.head !== head) return { ...nothing, reason: "the last change was not reviewed" };
  if (moved) return { ...nothing, reason: "the branch has moved since the review" };
  const { result, reason } = verdict.verdict;
  return { result, reason, requirementsJudged: verdict.requirementsJudged };
}

/** A review may have come before the search, or have been of another tool: what stands in the commits counts. */
function leaky(verdict: Certificate["verdict"], secrets: CertificateSource["secrets"]): Certificate["verdict"] {
  if (verdict.result !== "pass" || secrets?.length === 0) return verdict;
  if (secrets === null) {
    return { ...verdict, result: "inconclusive", reason: "the commits could not be searched for secrets" };
  }
  return { ...verdict, result: "fail", reason: secrets.map(({ said }) => said).join("; ") };
}

/** Where the reviewer did not judge the requirements though the policy asks for it, a person's approval stands in. */
function requirementsSettled({ pass }: Policy, state: LoopState): boolean {
  if (pass.requirements !== "judged" || state.verdict?.requirementsJudged === true) return true;
  return state.stage === "ended" && (state.outcome === "passed" || state.outcome === "merged");
}

function certifiedRound({
  number,
  head,
  reviewedAt,
  verdict,
  report,
  by,
}: LoopState["rounds"][number]): CertifiedRound {
  const counts = Object.fromEntries(SEVERITIES.map((severity) => [severity, 0])) as Record<Severity, number>;
  for (const { severity } of report.findings) counts[severity] += 1;
  const { result, reason } = verdict;
  return { number, head, reviewedAt: iso(reviewedAt), verdict: result, reason, findings: counts, by };
}

function certifiedFinding(entry: LoopState["findings"][number]): CertifiedFinding {
  const { fingerprint, finding, firstRound, lastRound, lifecycle, origin, disposition } = entry;
  const { rule = null, category, severity, title, file = null, line = null, seenBy, verification } = finding;
  const what = { fingerprint, rule, category, severity, title, file, line };
  const by = { ...(seenBy === undefined ? {} : { seenBy }), ...(verification === undefined ? {} : { verification }) };
  return { ...what, firstRound, lastRound, lifecycle, origin, disposition, ...by };
}

function usageOf(events: readonly LoopEvent[]): Certificate["usage"] {
  return events.reduce(withUsage, { tokens: 0, costUsd: 0 });
}

function distinct(players: readonly PlayedBy[]): PlayedBy[] {
  const seen = new Map(players.map((by) => [canonical(by), by]));
  return [...seen.values()];
}

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  return `{${entries
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
    .join(",")}}`;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
