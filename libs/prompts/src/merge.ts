import type { CodeReviewPrompts, PromptCustomization } from "@anneal/types";
import { type AllCodeReviewPrompts, mergeCodeReviewPrompts } from "./code-review.ts";
import { DEFAULT_PROMPTS } from "./defaults.ts";

/** Every customisable prompt with the text that holds; it can be merged again without a change. */
export type ResolvedPrompts = { codeReview: AllCodeReviewPrompts };

export function mergeAllPrompts(custom?: PromptCustomization): ResolvedPrompts {
  return { codeReview: mergeCodeReviewPrompts(custom?.codeReview, DEFAULT_PROMPTS.codeReview) };
}

/**
 * The project's word on a prompt over the global one over the default, key by key.
 * A disabled entry of the project is a word too: it means the default, also where a global text is enabled.
 */
export function resolvePromptCustomization(
  project: PromptCustomization | undefined,
  global: PromptCustomization | undefined,
): ResolvedPrompts {
  return mergeAllPrompts({ codeReview: { ...global?.codeReview, ...defined(project?.codeReview) } });
}

function defined(prompts: CodeReviewPrompts | undefined): CodeReviewPrompts {
  return Object.fromEntries(Object.entries(prompts ?? {}).filter(([, prompt]) => prompt !== undefined));
}
