export { policyBook } from "./policy-book.ts";
export { previewPrompt } from "./preview.ts";
export { PROMPT_KEYS, promptBook } from "./prompt-book.ts";
