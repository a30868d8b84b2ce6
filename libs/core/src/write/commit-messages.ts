import { oneLine } from "./text.ts";

/** The message of a feature's commit before its review (seed 000 §3.4). */
export function featureCommitMessage(title: string, iteration: number): string {
  const lines = [
    `feat: ${oneLine(title) || "untitled feature"}`,
    "",
    `Implemented by Automaker auto-mode - Code Review Iteration ${iteration}`,
  ];
  if (iteration > 1) lines.push(`Fixes from review iteration ${iteration - 1}`);
  return lines.join("\n");
}

/** The message of a story's fix commit (seed 003). */
export function storyFixCommitMessage(round: number, brief: string): string {
  return `fix: address code review round ${round} - ${oneLine(brief) || "review findings"}`;
}
