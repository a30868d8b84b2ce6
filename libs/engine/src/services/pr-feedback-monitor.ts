import type { Clock } from "@anneal/adapters";
import { type Comment, type Forge, type Heard, listen, RateLimited, type Review } from "@anneal/adapters/forges";
import { checksState, type FeedbackRules, readFeedback } from "@anneal/core/pull-request";
import type { AnalyzedFeedback, PRComment, PRFeedback, PRReview } from "@anneal/types";

export interface MonitorArgs {
  forge: Forge;
  clock: Clock;
  /** How often a pull request is looked at. */
  pollMs?: number;
  rules?: FeedbackRules;
  onTrouble?: (featureId: string, message: string) => void;
}

type Handler = (analysis: AnalyzedFeedback) => void;

/** Seed 001's monitor: watches pull requests beside any loop, and tells what asks for something. */
export class PRFeedbackMonitor {
  readonly #args: MonitorArgs;
  readonly #watched = new Map<string, { stop: AbortController; done: Promise<void> }>();
  readonly #handlers = new Set<Handler>();

  constructor(args: MonitorArgs) {
    this.#args = args;
  }

  /** A feature has one pull request: watching another one ends the watch on the first. */
  startMonitoring(featureId: string, prNumber: number): void {
    this.stopMonitoring(featureId);
    const stop = new AbortController();
    this.#watched.set(featureId, { stop, done: this.#watch(featureId, prNumber, stop.signal) });
  }

  stopMonitoring(featureId: string): void {
    this.#watched.get(featureId)?.stop.abort();
    this.#watched.delete(featureId);
  }

  async getFeedback(prNumber: number): Promise<PRFeedback> {
    return feedbackOf(await this.#hear(prNumber), this.#args.rules ?? {});
  }

  /** What of this has to be done, from authors whose word counts. */
  async analyzeFeedback(feedback: PRFeedback): Promise<AnalyzedFeedback> {
    const heard = await this.#hear(feedback.prNumber);
    const reviews = new Set(feedback.reviews.map(({ id }) => id));
    const said = [...feedback.comments, ...feedback.reviews.flatMap(({ comments }) => comments)];
    const comments = new Set(said.map(({ id }) => id));
    const meant = {
      ...heard,
      comments: heard.comments.filter(({ id, key }) => comments.has(id) || key !== null),
      reviews: heard.reviews.filter(({ id }) => reviews.has(id)),
      checks: feedback.checksStatus === "failing" ? heard.checks : [],
    };
    return readFeedback(meant, this.#args.rules).analysis;
  }

  on(_event: "new-feedback", handler: Handler): void {
    this.#handlers.add(handler);
  }

  /** Ends every watch, and waits until they are over. */
  async close(): Promise<void> {
    const watched = [...this.#watched.values()];
    for (const featureId of [...this.#watched.keys()]) this.stopMonitoring(featureId);
    await Promise.all(watched.map(({ done }) => done));
  }

  async #hear(number: number): Promise<Heard> {
    const heard = await listen(this.#args.forge, number, null);
    if (heard === null) throw new Error(`the forge says nothing about pull request ${number}`);
    return heard;
  }

  async #watch(featureId: string, number: number, signal: AbortSignal): Promise<void> {
    const { forge, clock, pollMs = 30_000 } = this.#args;
    let cursor: string | null = null;
    let last = "";
    while (!signal.aborted) {
      let pauseMs = pollMs;
      try {
        const heard = await listen(forge, number, cursor);
        cursor = heard?.cursor ?? cursor;
        if (heard !== null && !signal.aborted) last = this.#tell(heard, last);
      } catch (error) {
        if (error instanceof RateLimited) pauseMs = Math.max(pollMs, error.retryAt - clock.now());
        this.#args.onTrouble?.(featureId, error instanceof Error ? error.message : String(error));
      }
      await clock.sleep(pauseMs, signal).catch(() => {});
    }
  }

  /** Only what asks for something, and only once. */
  #tell(heard: Heard, last: string): string {
    const { analysis } = readFeedback(heard, this.#args.rules);
    const { actionableIssues, questionsToAnswer, requiresHumanDecision } = analysis;
    const now = JSON.stringify(analysis);
    const asks = actionableIssues.length + questionsToAnswer.length + requiresHumanDecision.length > 0;
    if (asks && now !== last) for (const handler of this.#handlers) handler(analysis);
    return now;
  }
}

function feedbackOf(heard: Heard, rules: FeedbackRules): PRFeedback {
  const { pull, comments, reviews } = heard;
  const own = reviews.map(({ id }) => id);
  const last = new Map(reviews.filter(({ state }) => state !== "commented").map((one) => [one.author, one.state]));
  const checks = checksState(heard, rules);
  return {
    prNumber: pull.number,
    comments: comments.filter(({ reviewId }) => reviewId === null || !own.includes(reviewId)).map(commentOf),
    reviews: reviews.map((review) => reviewOf(review, comments)),
    // Nor for a pull request without checks.
    checksStatus: checks === "none" ? "passing" : checks,
    mergeable: pull.mergeability === "clean",
    requestedChanges: [...last.values()].includes("changes_requested"),
  };
}

function reviewOf({ id, author, state, body, submittedAt }: Review, comments: readonly Comment[]): PRReview {
  const said = comments.filter(({ reviewId }) => reviewId === id).map(commentOf);
  // The seed has no word for a review that was taken back.
  return { id, author, state: state === "dismissed" ? "commented" : state, body, comments: said, submittedAt };
}

function commentOf({ id, author, body, file, line, createdAt, isBot }: Comment): PRComment {
  const place = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
  return { id, author, body, ...place, createdAt, isBot };
}
