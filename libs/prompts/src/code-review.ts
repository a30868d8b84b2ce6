import type { CodeReviewPrompts, CustomPrompt } from "@anneal/types";
import { loadPrompt } from "./load.ts";

export const DEFAULT_CODE_REVIEW_SYSTEM_PROMPT = loadPrompt("code-review/system.md");

export const DEFAULT_CODE_REVIEW_PROMPT_TEMPLATE = loadPrompt("code-review/template.md");

/** The variables that a review template may use. */
export const CODE_REVIEW_VARIABLES = ["featureTitle", "featureDescription", "gitDiff", "featureSpec"] as const;

/** Every prompt of a code review, none left out. */
export type AllCodeReviewPrompts = Record<"reviewSystemPrompt" | "reviewPromptTemplate", CustomPrompt>;

export const DEFAULT_CODE_REVIEW_PROMPTS: AllCodeReviewPrompts = {
  reviewSystemPrompt: { enabled: false, value: DEFAULT_CODE_REVIEW_SYSTEM_PROMPT },
  reviewPromptTemplate: { enabled: false, value: DEFAULT_CODE_REVIEW_PROMPT_TEMPLATE },
};

/** Custom prompts over the defaults; a custom text counts only while it is enabled. */
export function mergeCodeReviewPrompts(
  custom: CodeReviewPrompts | undefined,
  defaults: AllCodeReviewPrompts = DEFAULT_CODE_REVIEW_PROMPTS,
): AllCodeReviewPrompts {
  return {
    reviewSystemPrompt: merged(custom?.reviewSystemPrompt, defaults.reviewSystemPrompt),
    reviewPromptTemplate: merged(custom?.reviewPromptTemplate, defaults.reviewPromptTemplate),
  };
}

function merged(custom: CustomPrompt | undefined, fallback: CustomPrompt): CustomPrompt {
  return {
    enabled: custom?.enabled ?? fallback.enabled,
    value: custom?.enabled ? custom.value : fallback.value,
  };
}
