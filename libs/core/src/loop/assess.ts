import type { CompleteReport, HeldSecret, Policy, TrackedFinding, Verdict } from "@anneal/types";
import { blocks } from "../findings/blocking.ts";
import { searchedAgain } from "../findings/held-secrets.ts";
import { approves } from "../gate/approval.ts";
import { judge } from "../gate/gate.ts";
import { withUnmet } from "../gate/requirements.ts";
import { type Observation, track } from "../lineage/lineage.ts";

export interface Assessed {
  /** With a finding for each requirement that is not met. */
  report: CompleteReport;
  findings: TrackedFinding[];
  verdict: Verdict;
}

/** What one review comes to: the only way from a report to a verdict, in a loop and outside of one. */
export function assess(
  policy: Pick<Policy, "pass">,
  ledger: readonly TrackedFinding[],
  seen: Omit<Observation, "approves" | "earlierFindings"> & {
    requirementsJudged: boolean;
    /** What the search of the commits found in addition to the review. */
    secrets?: readonly HeldSecret[] | undefined;
  },
): Assessed {
  const { pass } = policy;
  const report = withUnmet(pass, seen.report);
  const observed = { ...seen, report, approves: approves(pass, report), earlierFindings: pass.earlierFindings };
  const { round, head, requirementsJudged, secrets = [] } = seen;
  const findings = searchedAgain(track(ledger, observed), secrets, { round, head });
  return { report, findings, verdict: judge(policy, { report, requirementsJudged, round, findings }) };
}

/** Whether a sign-off is all that a report lacks for a pass, now that others have ruled on what blocks in it. */
export function lacksSignOff(
  policy: Pick<Policy, "pass">,
  ledger: readonly TrackedFinding[],
  { signedOff, ...report }: CompleteReport,
  { round, requirementsJudged }: { round: number; requirementsJudged: boolean },
): boolean {
  if (signedOff !== false) return false;
  const standing = ledger.map(({ fingerprint }) => fingerprint);
  const seen = { round, head: "", standing, regions: [], renames: {}, lastFix: undefined, requirementsJudged };
  return assess(policy, ledger, { ...seen, report }).verdict.result === "pass";
}

/** The open findings that a report says nothing about, where its rulings on them are all that is missing for a pass. */
export function unruledBy(
  policy: Pick<Policy, "pass">,
  ledger: readonly TrackedFinding[],
  given: CompleteReport,
  { round, requirementsJudged }: { round: number; requirementsJudged: boolean },
): TrackedFinding[] {
  const { pass } = policy;
  const report = withUnmet(pass, given);
  if (pass.earlierFindings !== "carried" || !approves(pass, report)) return [];
  const standing = ledger.map(({ fingerprint }) => fingerprint);
  const seen = { round, head: "", standing, regions: [], renames: {}, lastFix: undefined };
  const findings = track(ledger, { ...seen, report });
  const silent = findings.filter(({ disposition, lastRound, fingerprint }) => {
    const isRuled = report.rulings.some((one) => one.fingerprint === fingerprint);
    return disposition.kind === "open" && lastRound < round && !isRuled;
  });
  if (!silent.some(({ finding }) => blocks(pass, finding))) return [];
  const rest = findings.filter((entry) => !silent.includes(entry));
  return judge(policy, { report, requirementsJudged, round, findings: rest }).result === "pass" ? silent : [];
}
