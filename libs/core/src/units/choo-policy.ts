import type { CodeReviewConfig, Policy, ReviewProvider } from "@anneal/types";

/** Who reviews a unit, as `.choo.yaml` names it. */
export interface UnitReviewer {
  provider: ReviewProvider;
  /** The agent behind the name: under `code_review:`, codex is its own review command and not a prompt. */
  agent: "codex-review" | "claude";
  /** Path of the program; nothing means the one on PATH. */
  command?: string;
}

const AGENTS = { codex: "codex-review", claude: "claude" } as const satisfies Record<ReviewProvider, string>;

/** The reviewer that a unit has, whoever does its tasks; null where the review is switched off. */
export function reviewerFromChoo({ enabled, provider, command }: CodeReviewConfig): UnitReviewer | null {
  if (!enabled) return null;
  return { provider, agent: AGENTS[provider], ...(command.trim() === "" ? {} : { command: command.trim() }) };
}

/**
 * The policy that `code_review:` makes of a base policy.
 * `max_fix_iterations` N is up to N pairs of fix and review, without a review after the last fix; 0 only reviews.
 * Switched off, there is no review at all: the work goes the same way as when its rounds are used up.
 */
export function policyFromChoo({ enabled, max_fix_iterations: most }: CodeReviewConfig, base: Policy): Policy {
  const fixes = enabled ? Math.min(most, MOST_FIXES) : 0;
  const reviews = enabled ? Math.max(1, fixes) : 0;
  const { hardReviews, ...limits } = base.limits;
  const hard = hardReviews === undefined ? {} : { hardReviews: Math.max(hardReviews, reviews) };
  return { ...base, limits: { ...limits, ...hard, reviews, fixes } };
}

/** The most that a policy may have. */
const MOST_FIXES = 50;
