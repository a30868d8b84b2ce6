import type { Finding } from "@anneal/types";
import { oneLine } from "../text/text.ts";
import type { CompletionReport } from "./completion.ts";

/** What git says about a ticket's work. */
export interface TicketGit {
  branch: string;
  /** Where the branch stands; null where there is none. */
  branchHead: string | null;
  baseCommit: string;
  baseExists: boolean;
  commit: string;
  commitExists: boolean;
  onBranch: boolean;
  descends: boolean;
}

export interface TicketWork {
  /** Null before anything is committed. */
  git: TicketGit | null;
  checks: { result: "passed" | "failed" | "not-configured"; findings: readonly Finding[] };
  completion: CompletionReport;
}

export interface TicketValidation {
  result: "passed" | "failed";
  /** What the builder has to put right; empty only if it passed. */
  findings: Finding[];
  testSuite: "passing" | "failing";
}

/** Whether a ticket's work may be reviewed (seed 002): branch and commit, the test command, every acceptance criterion. */
export function validateTicket({ git, checks, completion }: TicketWork): TicketValidation {
  const findings = [
    ...(git === null ? [] : gitFindings(git)),
    ...checkFindings(checks),
    ...completion.criteria.filter(({ status }) => status === "missing").map(unaddressed),
  ];
  return {
    result: findings.length === 0 ? "passed" : "failed",
    findings,
    testSuite: checks.result === "passed" ? "passing" : "failing",
  };
}

/** One finding, the first that explains the others. */
function gitFindings(git: TicketGit): Finding[] {
  const { branch, branchHead, baseCommit, commit } = git;
  if (branchHead === null) return [broken("ticket-branch", `The branch ${branch} does not exist`)];
  if (!git.baseExists) return [broken("ticket-base", `The base commit ${baseCommit} does not exist`)];
  if (!git.commitExists) return [broken("ticket-commit", `The commit ${commit} does not exist`)];
  if (!git.onBranch) return [broken("ticket-commit", `The commit ${commit} is not on the branch ${branch}`)];
  if (!git.descends)
    return [broken("ticket-base", `The commit ${commit} does not descend from its base ${baseCommit}`)];
  return commit === baseCommit ? [broken("ticket-commit", `The branch ${branch} has no commit of its own`)] : [];
}

function checkFindings({ result, findings }: TicketWork["checks"]): Finding[] {
  if (result === "passed") return [];
  if (result === "not-configured") {
    return [broken("no-test-command", "The project has no test command, so nothing checks the work")];
  }
  return findings.length > 0 ? [...findings] : [broken("project-check", "The test command fails")];
}

function unaddressed({ criterion, because }: CompletionReport["criteria"][number]): Finding {
  return {
    rule: "criterion-not-addressed",
    category: "compliance",
    severity: "high",
    title: `Not addressed: ${oneLine(criterion)}`,
    description: `The acceptance criterion is not addressed: ${because ?? "nothing is said about it"}.`,
    suggestion: "Meet the criterion, or report how it is met, with evidence, in the completion report.",
  };
}

function broken(rule: string, title: string): Finding {
  const category = rule === "no-test-command" || rule === "project-check" ? "testing" : "compliance";
  return { rule, category, severity: "high", title, description: `${title}.` };
}
