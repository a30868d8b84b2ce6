import { systemClock } from "@anneal/adapters/clock";
import { openRepo } from "@anneal/adapters/git";
import { POLICIES } from "@anneal/core";
import { reviewerFromChoo, toReviewIssue } from "@anneal/core/units";
import { type AdvisoryReviewResult, DEFAULT_CODE_REVIEW_CONFIG, type ReviewProvider } from "@anneal/types";
import type { AgentTerms } from "../agents/fitted.ts";
import { judgingTerms } from "../agents/settings.ts";
import { NOBODY, reviewerNamed } from "../assemble.ts";
import { boundsOf } from "../bounds.ts";
import { review } from "../review.ts";
import { findingOf } from "./shown-finding.ts";

/** The reviewer came to no result. Whether that holds anything up is for whoever asked. */
export class AdvisoryReviewFailed extends Error {
  override readonly name = "AdvisoryReviewFailed";
}

/** Seed 004's Reviewer: one review of what a worktree has and a base branch does not, beside any loop. */
class ProgramReviewer {
  readonly name: ReviewProvider;
  readonly #command: string;

  constructor(name: ReviewProvider, command: string) {
    this.name = name;
    this.#command = command;
  }

  async review(
    workdir: string,
    baseBranch: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<AdvisoryReviewResult> {
    const repo = await openRepo(workdir);
    const { bounds } = await boundsOf(repo, { base: baseBranch });
    const { agents } = await judgingTerms(repo, { ...bounds, called: "change" });
    const words: string[] = [];
    const reviewer = await reviewerNamed(this.#agent(), {
      policy: POLICIES.advisory,
      repo,
      brief: { workItem: { title: "", description: "" }, round: 1, earlierFindings: [] },
      agents: this.#started(agents),
      onAnswer: ({ text, structured }) => words.push(text || JSON.stringify(structured)),
    });
    const change = repo.change(bounds);
    try {
      const output = await review({ change, repo, policy: POLICIES.advisory, reviewer, clock: systemClock, signal });
      if (output.verdict === "inconclusive") throw new AdvisoryReviewFailed(output.summary);
      const passed = output.verdict === "pass";
      const issues = passed ? [] : output.findings.map(findingOf).map(toReviewIssue);
      return { passed, issues, summary: output.summary, rawOutput: words.join("\n\n") };
    } finally {
      change.close();
    }
  }

  #agent(): string {
    return reviewerFromChoo({ ...DEFAULT_CODE_REVIEW_CONFIG, provider: this.name })?.agent ?? NOBODY;
  }

  /** The command stands in place of the usual program. */
  #started(agents: AgentTerms): AgentTerms {
    if (this.#command === "") return agents;
    const setup = { ...agents.setups?.[this.name], command: [this.#command] };
    return { ...agents, setups: { ...agents.setups, [this.name]: setup } };
  }
}

/** `codex review --base`, with the program at `command`, or the one on the PATH. */
export class CodexReviewer extends ProgramReviewer {
  constructor(command = "") {
    super("codex", command);
  }
}

/** `claude -p` with a prompt that shows the diff, with the program at `command`, or the one on the PATH. */
export class ClaudeReviewer extends ProgramReviewer {
  constructor(command = "") {
    super("claude", command);
  }
}
