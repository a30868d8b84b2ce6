import { loadPrompt } from "../load.ts";

export function loadSelfReviewerPrompt(): string {
  return loadPrompt("review-loop/self-reviewer.md");
}

export function loadFeedbackFixerPrompt(): string {
  return loadPrompt("review-loop/feedback-fixer.md");
}

export function loadPrFeedbackAnalyzerPrompt(): string {
  return loadPrompt("review-loop/pr-feedback-analyzer.md");
}
