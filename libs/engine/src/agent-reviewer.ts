import type { Agent, Change, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { read } from "@anneal/core/read";
import { asOneText, type ProjectContext, reviewPrompt, type WorkItemText, withFreshNonce } from "@anneal/prompts";
import type { Policy, PromptCustomization, Report, TrackedFinding } from "@anneal/types";
import { diffText } from "./diff-text.ts";
import { newNonce } from "./nonce.ts";
import type { ReviewPlace } from "./review-trees.ts";
import { wordsOf } from "./words-of.ts";

/** What the reviewer is told about the work, besides the change itself. */
export interface ReviewBrief {
  workItem: WorkItemText;
  round: number;
  earlierFindings: TrackedFinding[];
  /** Which run of the reviewer this is in its loop. */
  turn?: number;
  /** What this round alone changed, where that is not the whole change. */
  roundDiff?: string;
  context?: ProjectContext;
  /** The project's own words for the prompts, as they are now. */
  custom?: PromptCustomization;
  /** What the epic asks of all its tickets, and what the checks said. */
  epicCoordination?: string;
  validationResult?: string;
  /** What the review before asked for. */
  previousFeedback?: string;
}

/** Makes a reviewer of any agent: our prompt, its answer, our reading of it, and a look at whether it kept its hands off. */
export function agentReviewer(agent: Agent, policy: Policy, place: ReviewPlace, brief: ReviewBrief): Reviewer {
  return {
    name: agent.name,
    requirements:
      policy.pass.requirements === "judged" || policy.reviewer.sees.includes("work-item") ? "judged" : "not-judged",
    async review(change, signal, onProgress): Promise<ReviewAnswer> {
      const { text, coverage } = await diffText(change);
      return await place.lend(change.bounds.head, async (repo) => {
        const before = await repo.snapshot();
        onProgress?.(`${agent.name} reviews ${coverage.reviewed.length} files`);
        const prompt = promptFor(policy, change, brief, text, coverage.skipped);
        const run = await agent.run(
          {
            role: "reviewer",
            prompt,
            cwd: repo.root,
            ...(brief.turn === undefined ? {} : { turn: brief.turn }),
            ...(policy.reviewer.model === undefined ? {} : { model: policy.reviewer.model }),
            limits: { timeoutMs: policy.reviewer.timeoutMs },
          },
          signal,
        );
        const touched = await repo.sameAs(before);
        const report = touched.length > 0 ? tampered(touched) : readRun(policy, run);
        return { report, coverage, usage: run.usage, prompt, ...(run.model === undefined ? {} : { model: run.model }) };
      });
    },
  };
}

function promptFor(
  policy: Policy,
  change: Change,
  brief: ReviewBrief,
  diff: string,
  notShown: { file: string; reason: string }[],
): string {
  const composed = withFreshNonce(newNonce, (nonce) =>
    reviewPrompt({
      policy,
      workItem: brief.workItem,
      round: brief.round,
      maxRounds: policy.limits.reviews,
      nonce,
      base: change.bounds.base,
      head: change.bounds.head,
      diffs: { round: brief.roundDiff ?? diff, whole: diff },
      ...(brief.context === undefined ? {} : { projectContext: brief.context }),
      ...extras(brief),
      earlierFindings: brief.earlierFindings,
      notShown,
      words: wordsOf(policy),
    }),
  );
  return asOneText(composed);
}

function extras({ custom, epicCoordination, validationResult, previousFeedback }: ReviewBrief) {
  return {
    ...(custom === undefined ? {} : { custom }),
    ...(epicCoordination === undefined ? {} : { epicCoordination }),
    ...(validationResult === undefined ? {} : { validationResult }),
    ...(previousFeedback === undefined ? {} : { previousFeedback }),
  };
}

/** Only an answer whose agent finished by itself is read at all. */
function readRun(policy: Policy, run: Awaited<ReturnType<Agent["run"]>>): Report {
  if (run.status !== "finished") return { status: "inconclusive", reason: run.error ?? `the agent ${run.status}` };
  const { text, structured } = run;
  return read(policy.reviewer.contract, { text, finished: true, ...(structured === undefined ? {} : { structured }) });
}

function tampered(touched: string[]): Report {
  const shown = touched.slice(0, 3).join(", ");
  return { status: "inconclusive", reason: `tampered: the reviewer changed the repository (${shown})` };
}
