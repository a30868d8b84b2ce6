import { readFileSync } from "node:fs";
import { join } from "node:path";
import { updateJson } from "@anneal/adapters/files";
import { openRepo } from "@anneal/adapters/git";
import { toReviewIssue } from "@anneal/core/pull-request";
import {
  type ReviewedFinding,
  type ReviewIssue,
  type ReviewLoopConfig,
  type ReviewResult,
  SelfReviews,
} from "@anneal/types";
import { refuseForeignNames } from "../agents/foreign-names.ts";
import { agentTermsOf } from "../agents/settings.ts";
import { NOBODY, reviewerNamed } from "../assemble.ts";
import { boundsOf } from "../bounds.ts";
import { judgingSettings } from "../judging-settings.ts";
import { castOfSettings } from "../project/cast.ts";
import { titleOf } from "../project/features.ts";
import { policyOf } from "../project/policy-of.ts";
import { settingsFor } from "../project/prepare.ts";
import { review } from "../review.ts";
import { sessionIn } from "./review-loop-orchestrator.ts";
import { passes } from "./seed-verdict.ts";
import { featureOf, type ServiceProject } from "./service-project.ts";
import { findingOf } from "./shown-finding.ts";

/** Reviews that were asked for by hand, beside those of the feature's loop. */
const BY_HAND = "self-reviews.json";

/** Nobody implements or fixes here. */
const REVIEWER_ONLY = { implementer: NOBODY, fixer: NOBODY };

/** The reviewer came to no verdict; that is never a pass. */
export class SelfReviewFailed extends Error {
  override readonly name = "SelfReviewFailed";
}

/** Seed 001's self-review: one review of what stands in a worktree, outside of any loop. */
export class SelfReviewService {
  readonly #project: ServiceProject;

  constructor(project: ServiceProject) {
    this.#project = project;
  }

  async reviewChanges(featureId: string, worktreePath: string): Promise<ReviewResult> {
    const { root, clock, signal } = this.#project;
    const feature = await featureOf(this.#project, featureId);
    const main = await openRepo(root);
    const loaded = await judgingSettings(main);
    const { policy } = await policyOf({ name: "pull-request", because: "a self-review" }, loaded.settings, root);
    const repo = await openRepo(worktreePath);
    const base = await repo.mergeBase(await repo.defaultBranch(), "HEAD");
    const selection = (await repo.status()) === "clean" ? { base } : { base, uncommitted: "worktree" as const };
    const { bounds } = await boundsOf(repo, selection);
    await refuseForeignNames(main, loaded, { besides: { ...REVIEWER_ONLY, ...this.#project.cast }, policy });
    const { reviewer: named = "builtin" } = { ...castOfSettings(loaded, root), ...this.#project.cast };
    const iteration = this.getReviewHistory(featureId).length + 1;
    const workItem = { id: featureId, title: titleOf(feature), description: feature.description };
    const brief = { workItem, round: iteration, earlierFindings: [], turn: iteration };
    const model = feature.model || settingsFor(loaded).defaultModel;
    const reviewer = await reviewerNamed(named.replaceAll("{id}", featureId), {
      policy,
      repo,
      brief,
      agents: agentTermsOf(loaded),
      ...(model === undefined ? {} : { model }),
    });
    const change = repo.change(bounds);
    try {
      const never = new AbortController().signal;
      const output = await review({ change, repo, policy, reviewer, clock, signal: signal ?? never });
      if (output.verdict === "inconclusive") throw new SelfReviewFailed(output.summary);
      const issues = output.findings.map(issueOf);
      const timestamp = new Date(clock.now()).toISOString();
      const verdict = verdictOf(output.verdict, issues);
      return await this.#remember(featureId, { verdict, issues, summary: output.summary, iteration, timestamp });
    } finally {
      change.close();
    }
  }

  evaluateVerdict(result: ReviewResult, config: ReviewLoopConfig): boolean {
    return passes(result, config);
  }

  /** Every review of a feature, those of its loop and those that were asked for by hand, oldest first. */
  getReviewHistory(featureId: string): ReviewResult[] {
    const looped = sessionIn(this.#project, featureId)?.iterations ?? [];
    return [...looped, ...this.#byHand(featureId)].sort((a, b) => Date.parse(a.timestamp) - Date.parse(b.timestamp));
  }

  #path(featureId: string): string {
    return join(this.#project.root, ".automaker", "features", featureId, BY_HAND);
  }

  #byHand(featureId: string): ReviewResult[] {
    try {
      const parsed = SelfReviews.safeParse(JSON.parse(readFileSync(this.#path(featureId), "utf8")));
      return parsed.success ? parsed.data.reviews : [];
    } catch {
      return [];
    }
  }

  async #remember(featureId: string, result: ReviewResult): Promise<ReviewResult> {
    const add = (kept: SelfReviews) => ({ ...kept, reviews: [...kept.reviews, result] });
    await updateJson(this.#path(featureId), SelfReviews, add, { whenMissing: { reviews: [] } });
    return result;
  }
}

function verdictOf(verdict: "pass" | "fail", issues: readonly ReviewIssue[]): ReviewResult["verdict"] {
  if (verdict === "pass") return "pass";
  return issues.some(({ severity }) => severity === "critical") ? "critical_issues" : "needs_work";
}

function issueOf(shown: ReviewedFinding): ReviewIssue {
  return toReviewIssue(findingOf(shown), shown.fingerprint);
}
