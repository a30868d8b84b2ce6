import { oneLine } from "./text.ts";

/** The message of a feature's commit before its review (seed 000 §3.4). */
export function featureCommitMessage(title: string, iteration: number): string {
  const lines = [subject(title), "", `Implemented by Automaker auto-mode - Code Review Iteration ${iteration}`];
  if (iteration > 1) lines.push(`Fixes from review iteration ${iteration - 1}`);
  return lines.join("\n");
}

/** The message of a fix on the way to a pull request, or on it. Seed 001 has no words for it: it says what it answers, and for what. */
export function pullRequestFixCommitMessage(title: string, fix: { iteration: number; pr: number | null }): string {
  const answers = fix.pr === null ? `self-review, iteration ${fix.iteration}` : `feedback on pull request ${fix.pr}`;
  return [`fix: address ${answers}`, "", `For: ${oneLine(title) || "untitled feature"}`].join("\n");
}

/** The message of a commit of a custom pipeline's step: no review asked for it, so it names none that it fixes. */
export function featureStepCommitMessage(title: string, step: string): string {
  return [subject(title), "", `Implemented by Automaker auto-mode - Pipeline Step ${oneLine(step)}`].join("\n");
}

/** The message of a story's fix commit (seed 003). */
export function storyFixCommitMessage(round: number, brief: string): string {
  return `fix: address code review round ${round} - ${oneLine(brief) || "review findings"}`;
}

function subject(title: string): string {
  return `feat: ${oneLine(title) || "untitled feature"}`;
}
