import { filesOf } from "@anneal/core/review";
import { asOneText, type QuestionPromptRequest, questionPrompt, withFreshNonce } from "@anneal/prompts";
import { shownPatch } from "../review/diff-text.ts";
import { newNonce } from "../review/nonce.ts";
import { otherFiles } from "../review/reviewers/other-files.ts";

export interface DraftPromptArgs extends Pick<QuestionPromptRequest, "workItem" | "question" | "base" | "head"> {
  /** Git's patch of the whole change. */
  patch: string;
  /** How many bytes the prompt may have. */
  budget: number;
}

/** The prompt for a draft of a reply. Files that do not fit are named: they can be read in the tree. */
export function draftPrompt({ workItem, question, base, head, patch, budget }: DraftPromptArgs): string {
  const shown = shownPatch(patch);
  const promptWith = (diff: string, notShown: string) =>
    asOneText(
      withFreshNonce(newNonce, (nonce) => questionPrompt({ nonce, workItem, base, head, diff, notShown, question })),
    );
  const whole = promptWith(shown, "");
  if (Buffer.byteLength(whole) <= budget) return whole;
  const files = filesOf(shown);
  const names = files.map(({ path }) => path);
  let room = budget - Buffer.byteLength(promptWith("", otherFiles(names, new Set(), budget / 8)));
  const fitting = files.filter(({ text }) => {
    const bytes = Buffer.byteLength(text);
    if (bytes > room) return false;
    room -= bytes;
    return true;
  });
  const kept = new Set(fitting.map(({ path }) => path));
  return promptWith(fitting.map(({ text }) => text).join(""), otherFiles(names, kept, budget / 8));
}
