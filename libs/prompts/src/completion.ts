import { section } from "./compose.ts";
import type { PromptFence } from "./fence.ts";
import { loadPrompt } from "./load.ts";
import type { WorkItemText } from "./request.ts";

/** How to report on acceptance criteria, for items that have some. */
export function completionReport({ criteria = [] }: WorkItemText): string | undefined {
  return criteria.length === 0 ? undefined : loadPrompt("protocol/completion-report.md");
}

/** The acceptance criteria with the numbers that the report uses. */
export function criteriaSection({ criteria = [] }: WorkItemText, fence: PromptFence): string | undefined {
  const list = criteria.map((text, at) => `${at + 1}. ${text.replaceAll(/\s+/g, " ").trim()}`).join("\n");
  return section("## Acceptance Criteria", list && fence.block("acceptance criteria, by number", list));
}
