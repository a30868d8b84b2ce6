import { type FixAccount, NO_FIX } from "../lineage/fix-account.ts";
import { oneLine } from "../text/text.ts";
import { fixBrief, fixLines, leftLines } from "./fix-lines.ts";

/** The message of a feature's commit before its review (seed 000 §3.4). */
export function featureCommitMessage(title: string, iteration: number, fix: FixAccount = NO_FIX): string {
  const lines = [subject(title), "", `Implemented by Automaker auto-mode - Code Review Iteration ${iteration}`];
  if (iteration > 1) lines.push(`Fixes from review iteration ${iteration - 1}`);
  return `${lines.join("\n")}${leftLines(fix)}`;
}

/** The same where no seed has words for it: the work itself, or the fix that answers a round. */
export function plainFeatureMessage(title: string, round: number, fix: FixAccount): string {
  return round === 0 ? subject(title) : storyFixCommitMessage(round, fix);
}

/** The message of a fix on the way to a pull request, or on it. Seed 001 has no words for it: it says what it answers, and for what. */
export function pullRequestFixCommitMessage(
  title: string,
  of: { iteration: number; pr: number | null },
  fix: FixAccount = NO_FIX,
): string {
  const answers = of.pr === null ? `self-review, iteration ${of.iteration}` : `feedback on pull request ${of.pr}`;
  return `fix: address ${answers}\n\nFor: ${oneLine(title) || "untitled feature"}${leftLines(fix)}`;
}

/** The message of a commit of a custom pipeline's step: no review asked for it, so it names none that it fixes. */
export function featureStepCommitMessage(title: string, step: string): string {
  return [subject(title), "", `Pipeline step: ${oneLine(step)}`].join("\n");
}

/** The message of a story's fix commit (seed 003). */
export function storyFixCommitMessage(round: number, fix: FixAccount, brief: string = fixBrief(fix)): string {
  return `fix: address code review round ${round} - ${brief}${fixLines(fix)}`;
}

function subject(title: string): string {
  return `feat: ${oneLine(title) || "untitled feature"}`;
}
