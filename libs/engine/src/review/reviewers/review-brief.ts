import type { Change } from "@anneal/adapters";
import {
  asOneText,
  type Diff,
  type ProjectContext,
  type ReviewPart,
  reviewPrompt,
  type WorkItemText,
  withFreshNonce,
} from "@anneal/prompts";
import type { Policy, PromptCustomization, TrackedFinding } from "@anneal/types";
import { newNonce } from "../nonce.ts";
import { wordsOf } from "../words-of.ts";

/** What the reviewer learns about the work, besides the change itself. */
export interface ReviewBrief {
  workItem: WorkItemText;
  round: number;
  /** The last round that is allowed; the policy's limit by default. */
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

/** What is shown of the change in one call. */
export interface ShownChange {
  diffs: { round?: Diff; whole?: Diff };
  part?: ReviewPart;
  notShown: { file: string; reason: string }[];
}

export function promptFor(
  policy: Policy,
  { bounds }: Pick<Change, "bounds">,
  brief: ReviewBrief,
  shown: ShownChange,
): string {
  const composed = withFreshNonce(newNonce, (nonce) =>
    reviewPrompt({
      policy,
      workItem: brief.workItem,
      round: brief.round,
      maxRounds: brief.maxRounds ?? policy.limits.reviews,
      nonce,
      base: bounds.base,
      head: bounds.head,
      ...shown,
      ...(brief.context === undefined ? {} : { projectContext: brief.context }),
      ...extras(brief),
      earlierFindings: brief.earlierFindings,
      words: wordsOf(policy),
    }),
  );
  return asOneText(composed);
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
