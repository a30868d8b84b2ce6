export { buildCodeReviewPrompt, parseCodeReviewResponse } from "./code-review.ts";
export { type AskedProject, DraftRefused, draftedReply } from "./drafted-reply.ts";
export { generatedReview, type ReviewedProject, ReviewRefused } from "./generated-review.ts";
