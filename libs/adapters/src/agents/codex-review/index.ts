import type { ReviewedPaths } from "@anneal/core/read";
import { coverageOf } from "@anneal/core/unseen";
import type { Coverage } from "@anneal/types";
import type { Agent, AgentRun, Change, ReviewAnswer, Reviewer } from "../../ports.ts";
import { allFiles } from "../../reviewers/change-files.ts";
import type { TamperGuard } from "../../reviewers/tamper-guard.ts";
import type { AgentSetup } from "../cli/cli-agent.ts";
import { readCodexReview } from "./read-review.ts";
import { codexReviewAgent } from "./review-run.ts";

export interface CodexReviewArgs {
  room: TamperGuard;
  limits: { timeoutMs: number; silenceMs?: number };
  setup?: AgentSetup;
  /** How large a patch may be that its model is trusted to have read; unlimited by default. */
  mostBytes?: number;
  /** What runs of agents go through in this process, such as the limits of their provider. */
  through?: (agent: Agent) => Agent | Promise<Agent>;
}

/** `codex review --base`: Codex's own prompt and its own prose, which often leaves open whether the change passes. */
export function codexReviewer(args: CodexReviewArgs): Reviewer {
  const { room, limits, setup = {}, mostBytes = Number.POSITIVE_INFINITY, through = (agent) => agent } = args;
  return {
    name: "codex-review",
    requirements: "not-judged",
    provider: "openai",
    async review(change, signal, onProgress): Promise<ReviewAnswer> {
      const { bounds } = change;
      const all = await seenBy(change);
      onProgress?.(`codex review reads ${all.reviewed.length} files`);
      return await room.read({ name: "codex-review", ...bounds }, async (repo, shown) => {
        const { base, head } = shown ?? bounds;
        const coverage = without(all, shown?.hidden ?? []);
        const bytes = Buffer.byteLength(await repo.patch({ base, head }));
        if (bytes > mostBytes) return tooLarge(coverage, bytes, mostBytes);
        const agent = await through(codexReviewAgent(base, setup));
        const run = await agent.run({ role: "reviewer", prompt: "", cwd: repo.root, limits }, signal);
        const where = {
          roots: [repo.root],
          files: [...coverage.reviewed, ...coverage.skipped.map(({ file }) => file)],
        };
        return { ...answerOf(run, where), words: run.text, coverage: claimed(coverage, run), usage: run.usage };
      });
    },
  };
}

/** After a review without a result no file counts as read. */
function claimed({ reviewed, skipped }: Coverage, { status }: AgentRun): Coverage {
  if (status === "finished") return { reviewed, skipped };
  const missed = reviewed.map((file) => ({ file, reason: "codex review returned no report" }));
  return { reviewed: [], skipped: [...skipped, ...missed] };
}

function answerOf(run: AgentRun, where: ReviewedPaths): Pick<ReviewAnswer, "report" | "model" | "lasting"> {
  const model = run.model === undefined ? {} : { model: run.model };
  if (run.status === "finished") return { report: readCodexReview(run.text, where), ...model };
  const reason = run.error ?? `codex review ${run.status}`;
  return { report: { status: "inconclusive", reason }, ...model, ...(run.lasting ? { lasting: true } : {}) };
}

/** Files of the change that are not in the tree that it reads. */
function without({ reviewed, skipped }: Coverage, hidden: readonly string[]): Coverage {
  const isShown = (file: string) => !hidden.includes(file);
  const kept = hidden.map((file) => ({ file, reason: "hidden from a fresh reviewer", excused: "hidden" as const }));
  return { reviewed: reviewed.filter(isShown), skipped: [...skipped.filter(({ file }) => isShown(file)), ...kept] };
}

/** It reads what it likes, in one go, and says nothing of what it left out. */
function tooLarge({ reviewed, skipped }: Coverage, bytes: number, mostBytes: number): ReviewAnswer {
  const reason = `the change has ${bytes} bytes, and codex review may not read more than ${mostBytes} completely: use the reviewer codex, which gets the change in parts`;
  const missed = reviewed.map((file) => ({ file, reason: "the change is too large for codex review" }));
  const coverage = { reviewed: [], skipped: [...skipped, ...missed] };
  return { report: { status: "inconclusive", reason }, coverage, usage: {}, lasting: true };
}

/** Codex reads the change by itself, with git; what git shows no text of, it cannot have read. */
async function seenBy(change: Change): Promise<Coverage> {
  const files = (await allFiles(change)).map((file) =>
    file.encoding === undefined
      ? file
      : { ...file, skipped: file.skipped ?? `git does not show it as text (${file.encoding})` },
  );
  return await coverageOf(files);
}
