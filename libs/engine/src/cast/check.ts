import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Agent, AgentRun } from "@anneal/adapters";
import { assess } from "@anneal/core";
import { read } from "@anneal/core/read";
import { answerSchema } from "@anneal/core/review";
import { initRepo } from "@anneal/git";
import type { Policy, Report, Verdict } from "@anneal/types";
import { promptFor } from "../review/reviewers/review-brief.ts";

/** How a loop under the policy would read an answer. */
export interface CheckedAnswer {
  report: Report;
  verdict: Verdict;
  /** All that is wrong with the form of the answer; none where it was read. */
  problems: string[];
}

/** What a reviewer answered about the sample, and the result. */
export interface CheckedAgent extends CheckedAnswer {
  run: AgentRun;
  ms: number;
  prompt: string;
}

/** A change with two plain defects: the discount ignores its minimum, and its test is skipped. */
const SAMPLE = {
  workItem: {
    id: "discount",
    title: "Ten percent off from 20 euros",
    description:
      "`total(cents)` takes ten percent off totals of 2000 cents or more, in whole cents. Smaller totals stay as they are.",
  },
  before: { "src/total.js": "export const total = (cents) => cents;\n" },
  after: {
    "src/total.js": "export const total = (cents) => cents * 0.9;\n",
    "test/total.test.js":
      'import assert from "node:assert";\nimport { test } from "node:test";\nimport { total } from "../src/total.js";\n\ntest.skip("ten percent off", () => {\n  assert.equal(total(2000), 1800);\n});\n',
  },
} as const;

/** Reads an answer as a loop would, and judges it. */
export function checkAnswer(
  policy: Policy,
  { text, structured }: Pick<AgentRun, "text" | "structured">,
  /** The ticket that the answer is about, where that is known. */
  subject?: string,
): CheckedAnswer {
  const about = subject === undefined ? {} : { subject };
  const answer = { text, finished: true, ...about, ...(structured === undefined ? {} : { structured }) };
  const report = read(policy.reviewer.contract, answer);
  if (report.status === "inconclusive") {
    const problems = report.problems ?? [report.reason];
    return { report, verdict: { result: "inconclusive", reason: report.reason }, problems };
  }
  const seen = { round: 1, head: "", report, standing: [], regions: [], renames: {}, lastFix: undefined };
  const { verdict } = assess(policy, [], { ...seen, requirementsJudged: true });
  return { report, verdict, problems: verdict.result === "inconclusive" ? [verdict.reason] : [] };
}

/** Has an agent review the sample change in a repository that is removed again, with the prompt that a loop sends. */
export async function checkAgent(agent: Agent, policy: Policy, signal: AbortSignal): Promise<CheckedAgent> {
  const root = await mkdtemp(join(tmpdir(), "anneal-agent-check-"));
  try {
    const { prompt } = await sample(root, policy);
    const schema = answerSchema(policy.reviewer.contract);
    const started = performance.now();
    const run = await agent.run(
      {
        role: "reviewer",
        prompt,
        cwd: root,
        ...(schema === undefined ? {} : { schema }),
        ...(policy.reviewer.model === undefined ? {} : { model: policy.reviewer.model }),
        limits: { timeoutMs: policy.reviewer.timeoutMs },
      },
      signal,
    );
    const ms = Math.round(performance.now() - started);
    if (run.status === "finished") return { ...checkAnswer(policy, run, SAMPLE.workItem.id), run, ms, prompt };
    const reason = run.error ?? `the agent ${run.status}`;
    const nothing = { status: "inconclusive", reason } as const;
    return { report: nothing, verdict: { result: "inconclusive", reason }, problems: [reason], run, ms, prompt };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function sample(root: string, policy: Policy): Promise<{ prompt: string }> {
  const repo = await initRepo(root, { name: "Anneal", email: "anneal@localhost" });
  const commit = async (files: Readonly<Record<string, string>>, message: string): Promise<string> => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await writeFile(join(root, path), text);
    }
    await repo.commitAll(message);
    return await repo.resolve("HEAD");
  };
  const base = await commit(SAMPLE.before, "start");
  const head = await commit(SAMPLE.after, SAMPLE.workItem.title);
  const bounds = { base, head, headKind: "commit" } as const;
  const patch = await repo.patch(bounds);
  const sees = (part: "round-diff" | "whole-diff") => policy.reviewer.sees.includes(part);
  const diffs = sees("round-diff") ? { round: patch } : { whole: patch };
  const brief = { workItem: SAMPLE.workItem, round: 1, earlierFindings: [] };
  return { prompt: promptFor(policy, { bounds }, brief, { diffs, notShown: [] }) };
}
