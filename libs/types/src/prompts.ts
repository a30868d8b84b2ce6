import { z } from "zod";

/** A prompt that may replace a default. The text is kept while it is switched off. */
export const CustomPrompt = z.looseObject({ enabled: z.boolean(), value: z.string() });
export type CustomPrompt = z.infer<typeof CustomPrompt>;

/** The prompts of a code review that can be customised (seed 000). */
export const CodeReviewPrompts = z.looseObject({
  reviewSystemPrompt: CustomPrompt.optional(),
  /** May use {featureTitle}, {featureDescription}, {gitDiff} and {featureSpec}. */
  reviewPromptTemplate: CustomPrompt.optional(),
});
export type CodeReviewPrompts = z.infer<typeof CodeReviewPrompts>;

/** All customised prompts in the settings; the other groups belong to other tools and survive. */
export const PromptCustomization = z.looseObject({ codeReview: CodeReviewPrompts.optional() });
export type PromptCustomization = z.infer<typeof PromptCustomization>;
