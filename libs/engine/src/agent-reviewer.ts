import type { Agent, Change, ReviewAnswer, Reviewer } from "@anneal/adapters";
import { read } from "@anneal/core/read";
import { asOneText, type ProjectContext, reviewPrompt, type WorkItemText, withFreshNonce } from "@anneal/prompts";
import type { Policy, PromptCustomization, Report, TrackedFinding } from "@anneal/types";
import { coverageOf, shownPatch } from "./diff-text.ts";
import { newNonce } from "./nonce.ts";
import type { ReviewPlace } from "./review-trees.ts";
import { wordsOf } from "./words-of.ts";

/** What the reviewer is told about the work, besides the change itself. */
export interface ReviewBrief {
  workItem: WorkItemText;
  round: number;
  /** The last round that is allowed; the policy's limit unless told. */
  maxRounds?: number;
  /** All findings of earlier rounds, whatever has become of them. */
  earlierFindings: TrackedFinding[];
  /** Which run of the reviewer this is in its loop. */
  turn?: number;
  /** Git's patch of what this round alone changed; without it the whole change. */
  roundPatch?: string;
  /** Git's patch of the whole change, where that is known already. */
  wholePatch?: string;
  context?: ProjectContext;
  /** The project's own words for the prompts, as they are now. */
  custom?: PromptCustomization;
  /** What the epic asks of all its tickets, and what the checks said. */
  epicCoordination?: string;
  validationResult?: string;
  /** What the review before asked for. */
  previousFeedback?: string;
  branch?: string;
  baseBranch?: string;
  /** As it should stand in the report. */
  reviewedAt?: string;
}

/**
 * Makes a reviewer of any agent: our prompt, its answer, our reading of it, and a look at whether it kept its hands off.
 * The policy's own model wins over that of the work item.
 */
export function agentReviewer(
  agent: Agent,
  policy: Policy,
  place: ReviewPlace,
  { model: itemModel, ...brief }: ReviewBrief & { model?: string | undefined },
): Reviewer {
  const model = policy.reviewer.model ?? itemModel;
  return {
    name: agent.name,
    requirements:
      policy.pass.requirements === "judged" || policy.reviewer.sees.includes("work-item") ? "judged" : "not-judged",
    async review(change, signal, onProgress): Promise<ReviewAnswer> {
      const coverage = await coverageOf(change);
      return await place.lend(change.bounds.head, async (repo) => {
        const before = await repo.snapshot();
        onProgress?.(`${agent.name} reviews ${coverage.reviewed.length} files`);
        const whole = brief.wholePatch ?? (await repo.patch(change.bounds));
        const prompt = promptFor(
          policy,
          change,
          brief,
          diffsOf(policy, brief.roundPatch ?? whole, whole),
          coverage.skipped,
        );
        const run = await agent.run(
          {
            role: "reviewer",
            prompt,
            cwd: repo.root,
            ...(brief.turn === undefined ? {} : { turn: brief.turn }),
            ...(model === undefined ? {} : { model }),
            limits: { timeoutMs: policy.reviewer.timeoutMs },
          },
          signal,
        );
        const touched = await repo.sameAs(before);
        const report = touched.length > 0 ? tampered(touched) : readRun(policy, run);
        const played = run.model ?? model;
        return { report, coverage, usage: run.usage, prompt, ...(played === undefined ? {} : { model: played }) };
      });
    },
  };
}

function promptFor(
  policy: Policy,
  change: Change,
  brief: ReviewBrief,
  diffs: { round: string; whole?: string },
  notShown: { file: string; reason: string }[],
): string {
  const composed = withFreshNonce(newNonce, (nonce) =>
    reviewPrompt({
      policy,
      workItem: brief.workItem,
      round: brief.round,
      maxRounds: brief.maxRounds ?? policy.limits.reviews,
      nonce,
      base: change.bounds.base,
      head: change.bounds.head,
      diffs,
      ...(brief.context === undefined ? {} : { projectContext: brief.context }),
      ...extras(brief),
      earlierFindings: brief.earlierFindings,
      notShown,
      words: wordsOf(policy),
    }),
  );
  return asOneText(composed);
}

/** What one patch shows is not shown a second time. */
function diffsOf({ reviewer }: Policy, round: string, whole: string): { round: string; whole?: string } {
  const twice = round === whole && reviewer.sees.includes("round-diff");
  return twice ? { round: shownPatch(round) } : { round: shownPatch(round), whole: shownPatch(whole) };
}

function extras({ custom, epicCoordination, validationResult, previousFeedback, ...rest }: ReviewBrief) {
  const { branch, baseBranch, reviewedAt } = rest;
  return {
    ...(branch === undefined ? {} : { branch }),
    ...(baseBranch === undefined ? {} : { baseBranch }),
    ...(reviewedAt === undefined ? {} : { reviewedAt }),
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
