import type { Clock, Fixer, Reviewer } from "@anneal/adapters";
import { type CommandResult, runCommand } from "@anneal/adapters/command";
import type { Repo } from "@anneal/adapters/git";
import { openFindings, SEVERITIES, standing } from "@anneal/core";
import { storyFixCommitMessage } from "@anneal/core/write";
import type { Finding, LoopState, TrackedFinding } from "@anneal/types";
import type { StageWork } from "./driver.ts";
import { withSnippets } from "./snippets.ts";
import { watched } from "./watched.ts";

export interface BranchWorkArgs {
  repo: Repo;
  reviewer: Reviewer;
  fixer: Fixer;
  /** The project's own checks, as an argument list. */
  testCommand?: readonly [string, ...string[]];
  testTimeoutMs?: number;
  clock: Clock;
}

/** The work of a loop over a branch that is checked out: review, fix in place, check, commit. Nothing leaves the machine. */
export function branchWork({ repo, reviewer, fixer, clock, ...checks }: BranchWorkArgs): StageWork {
  const at = () => clock.now();
  const nowhere = async () => ({ type: "delivery-skipped" as const, at: at(), reason: "nothing to deliver to" });
  return {
    implementing: async () => ({ type: "implemented", at: at(), usage: {}, ...(await worked(repo, "a person")) }),

    validating: async (_state, signal) => {
      if (checks.testCommand === undefined)
        return { type: "validated", at: at(), result: "not-configured", findings: [] };
      const timeoutMs = checks.testTimeoutMs ?? 600_000;
      const result = await runCommand(checks.testCommand, { cwd: repo.root, timeoutMs, signal });
      const passed = result.status === 0;
      const findings = passed ? [] : [failedCheck(checks.testCommand.join(" "), result)];
      return { type: "validated", at: at(), result: passed ? "passed" : "failed", findings };
    },

    committing: async (state) => {
      const message = storyFixCommitMessage(Math.max(1, state.rounds.length), brief(state));
      const result = await repo.commitAll(message);
      if (result === "nothing") return { type: "nothing-to-commit", at: at() };
      if ("refused" in result) return { type: "commit-refused", at: at(), findings: [refusedByHook(result.refused)] };
      const regions = await repo.touchedRegions(state.head ?? state.base, result.commit);
      return { type: "committed", at: at(), head: result.commit, regions };
    },

    reviewing: async (state, signal) => {
      const source = repo.change({ base: state.base, head: state.head, headKind: "commit" });
      try {
        const change = watched(source);
        const { report, usage, model = null } = await reviewer.review(change, signal);
        const located =
          report.status === "complete" ? { ...report, findings: await withSnippets(report.findings, change) } : report;
        const requirementsJudged = reviewer.requirements === "judged";
        const renames = await renamesSince(repo, state);
        const stands = await stillStanding(repo, state);
        const seen = { head: state.head, report: located, requirementsJudged, regions: change.regions(), renames };
        const by = { agent: reviewer.name, model, provider: null };
        return { type: "reviewed", at: at(), usage, ...seen, standing: stands, by, diff: null };
      } finally {
        source.close();
      }
    },

    fixing: async (state, signal) => {
      const findings = openFindings(state.findings).sort(worstFirst);
      const prompt = state.problems.map((problem) => problem.title).join("\n");
      const { refutations, usage } = await fixer.fix({ worktree: repo.root, findings, prompt }, signal);
      return { type: "fixed", at: at(), usage, ...(await worked(repo, fixer.name)), refutations };
    },

    "opening-pr": nowhere,
    merging: nowhere,
    "awaiting-feedback": async () => ({ type: "abandoned", at: at(), stage: "awaiting-feedback" }),
  };
}

/** What stands in the worktree after somebody worked there. */
async function worked(repo: Repo, agent: string) {
  const changed = (await repo.status()) === "changed";
  const by = { agent, model: null, provider: null };
  return { changed, tree: changed ? await repo.worktreeTree() : null, output: null, by };
}

function brief(state: LoopState): string {
  const problems = "problems" in state ? state.problems : openFindings(state.findings).map((entry) => entry.finding);
  const rules = [...new Set(problems.map((problem) => problem.rule ?? problem.category))];
  return rules.length === 0 ? "review findings" : rules.join(", ");
}

async function renamesSince(repo: Repo, state: LoopState): Promise<Record<string, string>> {
  const last = state.rounds.at(-1);
  return last === undefined || state.head === null ? {} : await repo.renames(last.head, state.head);
}

async function stillStanding(repo: Repo, state: LoopState): Promise<string[]> {
  const { head } = state;
  if (head === null || state.findings.length === 0) return [];
  const files = new Set(openFindings(state.findings).flatMap(({ finding }) => finding.file ?? []));
  const texts = new Map<string, string | null>();
  for (const file of files) texts.set(file, await repo.fileAt(head, file));
  const touched = new Set(state.fixes.at(-1)?.regions.map((region) => region.file) ?? []);
  return standing(state.findings, (file) => texts.get(file) ?? null, touched);
}

function worstFirst(a: TrackedFinding, b: TrackedFinding): number {
  return SEVERITIES.indexOf(a.finding.severity) - SEVERITIES.indexOf(b.finding.severity);
}

function failedCheck(command: string, { status, output }: CommandResult): Finding {
  const how = typeof status === "number" ? `exit code ${status}` : status;
  const description = output.trim().split("\n").slice(-20).join("\n");
  return {
    rule: "project-check",
    category: "testing",
    severity: "high",
    title: `\`${command}\` fails (${how})`,
    description,
  };
}

function refusedByHook(output: string): Finding {
  const title = "A commit hook refused the change";
  return { rule: "commit-hook", category: "compliance", severity: "high", title, description: output.trim() };
}
