import { type Composed, compose, section } from "./compose.ts";
import { factLines } from "./contracts.ts";
import { loadPrompt } from "./load.ts";
import type { QuestionPromptRequest } from "./request.ts";
import { loadPrFeedbackAnalyzerPrompt } from "./review-loop/index.ts";

/** The prompt of the analyst that drafts the reply to one question of a pull request. */
export function questionPrompt(request: QuestionPromptRequest): Composed {
  const { nonce, workItem, base, head, diff, notShown, question } = request;
  return compose(nonce, (fence) => ({
    system: [loadPrFeedbackAnalyzerPrompt()],
    prompt: [
      `# A Question on: ${fence.line(workItem.title)}`,
      section("## Requirements", workItem.description && fence.block("requirements", workItem.description)),
      section("## The Change", factLines({ "Base commit": base, "Head commit": head }, fence)),
      section("## Code Changes", diff && fence.exact("diff", diff)),
      section("## Not Shown", notShown && fence.block("files of the change that are not in the diff", notShown)),
      section("## Feedback", factLines({ "Question with the id": question.sourceId, Author: question.author }, fence)),
      fence.block("the question", question.question),
      loadPrompt("review-loop/one-question.md"),
      loadPrompt("protocol/json.md"),
    ],
  }));
}
