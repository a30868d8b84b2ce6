import { promptBook } from "@anneal/engine/customisation";
import type { CodeReviewPrompts, PromptCustomization } from "@anneal/types";
import type { SettingsService } from "../services/settings-service.ts";

/** Seed 000's prompts as they hold for a project: its words over the global ones, and those over the defaults. */
export async function getPromptCustomization(
  settings: Pick<SettingsService, "load">,
  projectPath: string,
): Promise<PromptCustomization & { codeReview: CodeReviewPrompts }> {
  const book = promptBook(await settings.load(projectPath));
  return { codeReview: Object.fromEntries(book.map(({ key, enabled, inUse }) => [key, { enabled, value: inUse }])) };
}
