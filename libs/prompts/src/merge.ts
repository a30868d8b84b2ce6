import type { PromptCustomization } from "@anneal/types";
import { type AllCodeReviewPrompts, mergeCodeReviewPrompts } from "./code-review.ts";
import { DEFAULT_PROMPTS } from "./defaults.ts";

/** Every customisable prompt with the text that holds; it can be merged again without a change. */
export type ResolvedPrompts = { codeReview: AllCodeReviewPrompts };

export function mergeAllPrompts(custom?: PromptCustomization): ResolvedPrompts {
  return { codeReview: mergeCodeReviewPrompts(custom?.codeReview, DEFAULT_PROMPTS.codeReview) };
}
