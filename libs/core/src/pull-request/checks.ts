import type { Finding } from "@anneal/types";
import { ruleOf } from "../loop/request-source.ts";
import type { FeedbackCheck, FeedbackRules, ForgeFeedback } from "./heard.ts";
import { cleaned, cut, nameText } from "./words-of-others.ts";

export type ChecksState = "pending" | "passing" | "failing" | "none";

const PASSING = new Set(["success", "neutral", "skipped"]);
const FAILING = new Set(["failure", "timed_out", "startup_failure"]);

/** What the checks of the head come to. One that only a person can move on is waited for, not fixed. */
export function checksState(
  { checks }: Pick<ForgeFeedback, "checks">,
  { requiredChecks = [] }: FeedbackRules,
): ChecksState {
  if (checks.some(isFailing)) return "failing";
  if (checks.length === 0 && requiredChecks.length === 0) return "none";
  const known = new Set(checks.map(({ name }) => name));
  const missing = requiredChecks.some((name) => !known.has(name));
  return missing || checks.some((check) => !isPassing(check)) ? "pending" : "passing";
}

export function failingChecks({ checks }: Pick<ForgeFeedback, "checks">): Finding[] {
  return checks.filter(isFailing).map((check) => {
    const name = nameText(check.name);
    const details = [cleaned(check.summary, 2_000), logOf(check)].filter((part) => part !== "");
    return {
      rule: ruleOf({ of: "check", id: check.id }, check.name),
      category: "testing",
      severity: "high",
      title: `The check ${name} fails`,
      description: details.length === 0 ? `The check ended as ${check.conclusion}.` : details.join("\n\n"),
      impact: `${name} has to pass before the merge.`,
    };
  });
}

/** Checks that ended without a result that code could change. */
export function stuckChecks({ checks }: Pick<ForgeFeedback, "checks">): string[] {
  return checks
    .filter((check) => check.status === "completed" && !isPassing(check) && !isFailing(check))
    .map((check) => `the check ${nameText(check.name)} ended as ${cut(String(check.conclusion), 40)}: run it again`);
}

function isPassing({ status, conclusion }: FeedbackCheck): boolean {
  return status === "completed" && PASSING.has(conclusion ?? "");
}

function isFailing({ status, conclusion }: FeedbackCheck): boolean {
  return status === "completed" && FAILING.has(conclusion ?? "");
}

const LOG_CHARS = 4_000;

/** The end of the log: that is where failures stand. */
function logOf({ log }: FeedbackCheck): string {
  const end = log.length > LOG_CHARS ? `…${log.slice(1 - LOG_CHARS)}` : log;
  return cleaned(end, LOG_CHARS);
}
