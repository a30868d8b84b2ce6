import type { LoopState, Story } from "@anneal/types";
import type { FixAccount } from "../lineage/fix-account.ts";
import { roundsDone } from "../loop/rounds.ts";
import { oneLine } from "../text/text.ts";
import { storyFixCommitMessage } from "../write/commit-messages.ts";
import { countFindings } from "./counts.ts";
import { isClosing, storyStatus } from "./status.ts";

/** The message of a commit of a story's loop: the work itself, the fix that answers a round, or the documents at the end. */
export function storyCommitMessage(
  { id, title }: Pick<Story, "id" | "title">,
  state: LoopState,
  fix: FixAccount,
): string {
  if (isClosing(state)) return storyFinalMessage({ id }, state);
  if (state.rounds.length === 0) return `feat: ${oneLine(title) || "story"} (story ${id})`;
  return storyFixCommitMessage(roundsDone(state), fix);
}

/** The message of the last commit, which brings the findings documents into the branch. */
export function storyFinalMessage({ id }: Pick<Story, "id">, state: LoopState): string {
  const lines = state.rounds.map(({ number, report }) => {
    const { critical, important, minor } = countFindings(report.findings);
    return `Round ${number}: ${critical} critical, ${important} important, ${minor} minor`;
  });
  const accepted =
    state.acceptedBy === undefined ? [] : [`Accepted by ${oneLine(state.acceptedBy)} with open findings`];
  const status = isClosing(state) ? "done" : storyStatus(state);
  const body = [...lines, ...accepted, `Status: ${status}`].join("\n");
  return `docs: code review findings of story ${id}\n\n${body}`;
}
