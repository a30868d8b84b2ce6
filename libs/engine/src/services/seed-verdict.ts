import { assess, blocks, pullRequestWith, readCategory, readSeverity } from "@anneal/core";
import type { CompleteReport, Finding, Policy, ReviewIssue, ReviewLoopConfig, ReviewResult } from "@anneal/types";
import { DEFAULT_REVIEW_LOOP_CONFIG } from "@anneal/types";

type Config = Pick<ReviewLoopConfig, "maxIterations" | "severityThreshold">;

/** Whether a review in seed 001's form passes: judged as the same review is in a loop. */
export function passes({ verdict, issues, summary }: ReviewResult, config: Config): boolean {
  const findings = issues.map(findingOf);
  const report: CompleteReport = {
    status: "complete",
    claim: verdict === "pass" ? "pass" : "fail",
    findings,
    summary,
    rulings: [],
    notes: [],
  };
  const seen = { round: 1, head: "", standing: [], regions: [], renames: {}, lastFix: undefined };
  return assess(policyOf(config), [], { ...seen, report, requirementsJudged: true }).verdict.result === "pass";
}

/** Whether an issue of a review keeps a pull request back. */
export function holdsBack(issue: ReviewIssue, config: Config = DEFAULT_REVIEW_LOOP_CONFIG): boolean {
  return blocks(policyOf(config).pass, findingOf(issue));
}

function policyOf({ maxIterations, severityThreshold }: Config): Policy {
  return pullRequestWith({ maxIterations, severityThreshold: severityOf(severityThreshold) });
}

function findingOf({ severity, category, description, file, lineStart }: ReviewIssue): Finding {
  return {
    category: readCategory("pull-request", category) ?? "logic",
    severity: severityOf(severity),
    title: description,
    description,
    ...(file === undefined || file === "" ? {} : { file }),
    ...(lineStart === undefined ? {} : { line: lineStart }),
    native: { seed: "pull-request", severity, category },
  };
}

function severityOf(word: ReviewIssue["severity"]): Finding["severity"] {
  return readSeverity("pull-request", word) ?? "high";
}
