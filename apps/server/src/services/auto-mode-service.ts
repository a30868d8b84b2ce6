import type { Clock } from "@anneal/adapters";
import { currentLoop, historyOf } from "@anneal/engine/project";
import { buildCodeReviewPrompt, generatedReview } from "@anneal/engine/services";
import type { CodeReviewIteration, CodeReviewResult, Feature, Speaker } from "@anneal/types";
import { RequestProblem } from "../problem.ts";
import type { ServedProject } from "../projects/served-project.ts";
import { reviewDiff } from "../routes/code-review/helpers/review-diff.ts";
import { parseCodeReviewResponse } from "../routes/code-review/helpers/review-parser.ts";
import { getPreviousReviewFindings, saveCodeReviewMarkdown } from "../routes/code-review/helpers/review-storage.ts";

type Project = Pick<ServedProject, "root" | "store" | "features" | "repo" | "closing" | "start"> & {
  items: Pick<ServedProject["items"], "troubleOf">;
};

export interface AutoModeOptions {
  clock: Clock;
  /** Whose word it is that a review that waits goes on. */
  speaker: Speaker;
  /** Whoever asked has left: nobody waits any more, and the review goes on. */
  signal?: AbortSignal;
}

/**
 * Seed 000's service, as a face over the loop: it reviews by itself once a change is committed, so that what is left to do here
 * is to wait for it. The parts that the seed names are those that the loop is made of.
 */
export class AutoModeService {
  readonly #projectAt: (projectPath: string) => Project;
  readonly #options: AutoModeOptions;

  constructor(projectAt: (projectPath: string) => Project, options: AutoModeOptions) {
    this.#projectAt = projectAt;
    this.#options = options;
  }

  async generateCodeReview(
    projectPath: string,
    featureId: string,
    iterationNumber: number,
    worktreePath?: string,
  ): Promise<CodeReviewResult> {
    const project = this.#projectAt(projectPath);
    const { root, store, repo, features, closing } = project;
    const { clock, signal, speaker } = this.#options;
    const asked = { featureId, iterationNumber, ...(worktreePath === undefined ? {} : { worktreePath }) };
    const until = signal === undefined ? closing : AbortSignal.any([signal, closing]);
    return await generatedReview(
      {
        ...{ root, store, repo, features, clock, speaker },
        start: (id) => project.start(id, "web"),
        troubleOf: (id) => project.items.troubleOf(id),
      },
      asked,
      until,
    );
  }

  async parseCodeReviewResponse(agentResponse: string, iterationNumber: number): Promise<CodeReviewIteration> {
    return parseCodeReviewResponse(agentResponse, iterationNumber, this.#options.clock.now());
  }

  /** The seed writes it with and without the number, which the review has anyway. */
  async saveCodeReviewMarkdown(
    featureDir: string,
    ...[first, second]: [review: CodeReviewIteration] | [iterationNumber: number, review: CodeReviewIteration]
  ): Promise<void> {
    const review = typeof first === "number" ? { ...second, iterationNumber: first } : first;
    if (!isWhole(review)) throw new RequestProblem("bad-request", "review: nothing to save");
    await saveCodeReviewMarkdown(this.#shelfOf(featureDir), featureDir, review);
  }

  async getPreviousReviewFindings(featureDir: string, iterationNumber: number): Promise<CodeReviewIteration[]> {
    return await getPreviousReviewFindings(this.#shelfOf(featureDir), featureDir, iterationNumber);
  }

  buildCodeReviewPrompt(feature: Feature, diff: string, previousFindings: CodeReviewIteration[]): string {
    return buildCodeReviewPrompt(feature, diff, previousFindings);
  }

  /** The diff of an iteration; null where it has no commit yet. */
  async getReviewDiff(projectPath: string, featureId: string, iterationNumber: number): Promise<string | null> {
    const { store, repo } = this.#projectAt(projectPath);
    const row = currentLoop(store, featureId);
    return row === null ? null : await reviewDiff(repo, historyOf(store, row).state, iterationNumber);
  }

  #shelfOf(featureDir: string): Project {
    return this.#projectAt(featureDir.replace(/\/\.automaker\/features\/[^/]+\/?$/, ""));
  }
}

function isWhole(review: Partial<CodeReviewIteration>): review is CodeReviewIteration {
  return review.findings !== undefined && review.status !== undefined;
}
