import { join } from "./compose.ts";
import type { PromptFence } from "./fence.ts";
import type { ProjectContext } from "./request.ts";

/** How much of CLAUDE.md an agent is shown. */
export const CLAUDE_MD_LIMIT = 5_000;

/** The `## Project Context` section: CLAUDE.md first, then the other files, each fenced. */
export function projectContextSection(
  context: ProjectContext | undefined,
  fence: PromptFence,
): { text: string | undefined; notes: string[] } {
  const { shown, note } = cutToLimit(context?.claudeMd ?? "");
  const parts = [
    shown === "" ? undefined : fence.block("CLAUDE.md", shown),
    note,
    ...(context?.files ?? []).map((file) => fence.block(file.path, file.text)),
  ];
  const body = join(parts);
  if (body === "") return { text: undefined, notes: [] };
  return { text: `## Project Context\n\n${body}`, notes: note === undefined ? [] : [note] };
}

function cutToLimit(text: string): { shown: string; note: string | undefined } {
  if (text.length <= CLAUDE_MD_LIMIT) return { shown: text, note: undefined };
  const splitsAPair = /[\uD800-\uDBFF]/.test(text.charAt(CLAUDE_MD_LIMIT - 1));
  const shown = text.slice(0, splitsAPair ? CLAUDE_MD_LIMIT - 1 : CLAUDE_MD_LIMIT);
  return { shown, note: `CLAUDE.md was cut: its first ${shown.length} of ${text.length} characters are shown.` };
}
