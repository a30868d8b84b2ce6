import { assess, POLICIES, readCategory, readSeverity } from "@anneal/core";
import { readDecisionText } from "@anneal/core/read";
import { toCodeReviewIteration } from "@anneal/core/write";
import { asOneText, reviewPrompt, withFreshNonce } from "@anneal/prompts";
import type {
  CodeReviewFinding,
  CodeReviewIteration,
  Feature,
  Finding,
  PromptCustomization,
  Report,
  TrackedFinding,
  Verdict,
} from "@anneal/types";
import { titleOf } from "../kinds/feature/features.ts";
import { newNonce } from "../review/nonce.ts";

/** Reads a reviewer's answer as seed 000 keeps it. What cannot be read whole has failed, and never approves. */
export function parseCodeReviewResponse(
  agentResponse: string,
  iterationNumber: number,
  at: number,
): CodeReviewIteration {
  const report = readDecisionText({ text: agentResponse, finished: true }, { closing: "required" });
  return toCodeReviewIteration({
    iterationNumber,
    reviewedAt: at,
    model: "unknown",
    provider: "unknown",
    gitCommitHash: "",
    gitDiff: "",
    report,
    verdict: verdictOn(report, iterationNumber),
  });
}

/** What a reviewer under the gate gets about a feature's change and its earlier reviews. */
export function buildCodeReviewPrompt(
  feature: Feature,
  diff: string,
  previousFindings: readonly CodeReviewIteration[],
  custom: PromptCustomization = {},
): string {
  const { id, description, spec } = feature;
  const round = previousFindings.length + 1;
  const request = {
    policy: POLICIES.gate,
    workItem: { id, title: titleOf(feature), description, ...(spec === undefined ? {} : { spec }) },
    round,
    maxRounds: Math.max(round, POLICIES.gate.limits.reviews),
    diffs: { round: diff },
    earlierFindings: previousFindings.flatMap(trackedOf),
    custom,
  };
  return asOneText(withFreshNonce(newNonce, (nonce) => reviewPrompt({ ...request, nonce })));
}

function verdictOn(report: Report, round: number): Verdict {
  if (report.status === "inconclusive") return { result: "inconclusive", reason: report.reason };
  const seen = { round, head: "", report, standing: [], regions: [], renames: {}, lastFix: undefined };
  return assess(POLICIES.gate, [], { ...seen, requirementsJudged: true }).verdict;
}

/** Findings of a stored review have no fingerprints: they are named by where they stand. */
function trackedOf({ iterationNumber: round, findings }: CodeReviewIteration): TrackedFinding[] {
  return findings.map((finding, index) => ({
    fingerprint: `iteration-${round}-${index + 1}`,
    finding: canonical(finding),
    lifecycle: "new",
    origin: { kind: "change" },
    disposition: { kind: "open" },
    firstRound: round,
    lastRound: round,
  }));
}

function canonical({ category, severity, title, description, suggestion, file, line }: CodeReviewFinding): Finding {
  return {
    category: readCategory("gate", category) ?? "logic",
    severity: readSeverity("gate", severity) ?? "high",
    title,
    description,
    ...(suggestion === undefined ? {} : { suggestion }),
    ...(file === undefined ? {} : { file }),
    ...(line === undefined ? {} : { line }),
    native: { seed: "gate", severity, category },
  };
}
