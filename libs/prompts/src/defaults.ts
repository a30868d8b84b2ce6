import { DEFAULT_CODE_REVIEW_PROMPTS } from "./code-review.ts";

/** What every customisable prompt is while nobody has changed it. */
export const DEFAULT_PROMPTS = { codeReview: DEFAULT_CODE_REVIEW_PROMPTS };
