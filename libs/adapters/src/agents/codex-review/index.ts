import type { Coverage } from "@anneal/types";
import type { Repo } from "../../git/index.ts";
import type { Agent, AgentRun, Change, ReviewAnswer, Reviewer } from "../../ports.ts";
import type { AgentSetup } from "../cli/cli-agent.ts";
import { readCodexReview } from "./read-review.ts";
import { codexReviewAgent } from "./review-run.ts";

export interface CodexReviewArgs {
  /** Lends a tree at a commit. */
  place: { lend<T>(head: string, work: (repo: Repo) => Promise<T>): Promise<T> };
  limits: { timeoutMs: number; silenceMs?: number };
  setup?: AgentSetup;
  /** What runs of agents go through in this process, such as the limits of their provider. */
  through?: (agent: Agent) => Agent | Promise<Agent>;
}

/** `codex review --base`: Codex's own prompt and its own prose, which often leaves open whether the change passes. */
export function codexReviewer({ place, limits, setup = {}, through = (agent) => agent }: CodexReviewArgs): Reviewer {
  return {
    name: "codex-review",
    requirements: "not-judged",
    provider: "openai",
    async review(change, signal, onProgress): Promise<ReviewAnswer> {
      const { base, head } = change.bounds;
      const coverage = await coverageOf(change);
      onProgress?.(`codex review reads ${coverage.reviewed.length} files`);
      return await place.lend(head, async (repo) => {
        const before = await repo.snapshot();
        const agent = await through(codexReviewAgent(base, setup));
        const run = await agent.run({ role: "reviewer", prompt: "", cwd: repo.root, limits }, signal);
        const touched = await repo.sameAs(before);
        return { ...answerOf(run, touched, repo.root), coverage, usage: run.usage };
      });
    },
  };
}

function answerOf(run: AgentRun, touched: string[], root: string): Pick<ReviewAnswer, "report" | "model" | "lasting"> {
  const model = run.model === undefined ? {} : { model: run.model };
  if (touched.length > 0) {
    const reason = `tampered: the reviewer changed the repository (${touched.slice(0, 3).join(", ")})`;
    return { report: { status: "inconclusive", reason }, ...model };
  }
  if (run.status === "finished") return { report: readCodexReview(run.text, root), ...model };
  const reason = run.error ?? `codex review ${run.status}`;
  return { report: { status: "inconclusive", reason }, ...model, ...(run.lasting ? { lasting: true } : {}) };
}

/** Codex reads the change by itself, with git; what git shows no text of, it cannot have read. */
async function coverageOf(change: Change): Promise<Coverage> {
  const coverage: Coverage = { reviewed: [], skipped: [] };
  for await (const { path, skipped, oldBlob, newBlob } of change.files()) {
    if (skipped === undefined || oldBlob === newBlob || skipped === "empty file") coverage.reviewed.push(path);
    else coverage.skipped.push({ file: path, reason: skipped });
  }
  return coverage;
}
