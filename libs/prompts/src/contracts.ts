import type { Contract } from "@anneal/types";
import type { PromptFence } from "./fence.ts";
import { loadPrompt } from "./load.ts";
import { render } from "./render.ts";
import type { FixPromptRequest, ReviewPromptRequest, WorkItemText } from "./request.ts";

/** The prompt files of one way to answer, and the facts that its answer repeats. */
export interface ContractParts {
  reviewer: string;
  fixer: string;
  /** The form of the answer, said last so that no other text has the last word. */
  protocol: readonly string[];
  /** How rulings on earlier findings are written down, where the answer has a field for them. */
  rulings?: string;
  /** What the example of a sign-off says of the requirements. */
  requirements?: string;
  /** What a review's request asks for, in its seed's words, where it names something. */
  request?(workItem: WorkItemText): string | undefined;
  facts(request: ReviewPromptRequest): Record<string, string | number | undefined>;
  /** What the fixer's request begins with, where its seed names something. */
  fixFacts?(request: FixPromptRequest): Record<string, string | number | undefined>;
}

export const contracts: Record<Contract, ContractParts> = {
  "decision-text": {
    reviewer: "code-review/system.md",
    fixer: "feature/fixer.md",
    protocol: ["protocol/decision-text.md", "protocol/sign-off-text.md", "protocol/end-of-review.md"],
    rulings: "protocol/rulings-text.md",
    facts: (request) => ({ Iteration: `${request.round} of ${request.maxRounds}` }),
  },
  "verdict-json": {
    reviewer: "review-loop/self-reviewer.md",
    fixer: "review-loop/feedback-fixer.md",
    protocol: ["protocol/json.md", "protocol/sign-off-json.md"],
    rulings: "protocol/rulings-json.md",
    facts: (request) => ({ Iteration: `${request.round} of ${request.maxRounds}` }),
  },
  "scorecard-json": {
    reviewer: "ticket/reviewer.md",
    fixer: "ticket/revision-builder.md",
    protocol: ["protocol/json.md", "protocol/sign-off-json.md"],
    rulings: "protocol/rulings-json.md",
    facts: (request) => ({
      ticket_id: request.workItem.id,
      ticket_branch: request.branch,
      base_commit: request.base,
      final_commit: request.head,
      reviewed_at: request.reviewedAt,
      revision_count: request.round - 1,
    }),
  },
  "findings-document": {
    reviewer: "story/reviewer.md",
    fixer: "story/fixer.md",
    protocol: ["protocol/findings-document.md", "protocol/sign-off-text.md", "protocol/end-of-review.md"],
    request: ({ id }) => id && `Review Story ${id}`,
    facts: (request) => ({
      Story: request.workItem.id,
      "Story file": request.workItem.file,
      Branch: request.branch,
      "Base branch": request.baseBranch,
      Date: request.reviewedAt,
      Round: request.round,
    }),
    fixFacts: ({ workItem: { id, file }, branch, round }) => ({
      Story: id,
      "Story file": file,
      Branch: branch,
      // It lies in no workspace before the story is finalised.
      Findings: id && `docs/progress/story-${id}-review-findings-round-${round}.md, shown below`,
      Round: round,
    }),
  },
  "issue-lines": {
    reviewer: "diff/reviewer.md",
    fixer: "diff/fixer.md",
    protocol: ["protocol/json.md", "protocol/sign-off-json.md"],
    requirements: "none stated",
    facts: (request) => ({ "Base branch": request.baseBranch }),
  },
};

/** Facts that are known, one per line. */
export function factLines(facts: Record<string, string | number | undefined>, fence: PromptFence): string {
  return Object.entries(facts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `- ${name}: ${fence.line(String(value))}`)
    .join("\n");
}

/** The closing section of a review prompt. */
export function protocolOf(contract: Contract, rulings: "asked" | "not-asked"): string {
  const { protocol, rulings: rulingsFile, requirements = "3 of 3 met" } = contracts[contract];
  const [form, ...end] = protocol;
  const files = [form, rulings === "asked" ? rulingsFile : undefined, ...end];
  return files
    .filter((file) => file !== undefined)
    .map((file) => render(loadPrompt(file), { requirements }).text)
    .join("\n\n");
}
