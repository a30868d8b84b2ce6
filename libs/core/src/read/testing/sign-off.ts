import type { Contract } from "@anneal/types";
import type { AgentAnswer, ReadOptions } from "../answer/answer.ts";
import { read } from "../index.ts";

/** What an approval repeats at its end, as a JSON answer has it. */
export const signed = {
  requirements: "all requirements met",
  not_reviewed: "none",
  conditions: "none",
  decision: "approved",
};

/** The same in a text answer, with the fields to be broken one by one. */
export function signOff(fields: Record<string, string> = {}): string {
  const all = {
    Requirements: "all requirements met",
    "Not reviewed": "none",
    Conditions: "none",
    Decision: "approved",
    ...fields,
  };
  return `## Sign-off\n\n${Object.entries(all)
    .map(([label, value]) => `- ${label}: ${value}\n`)
    .join("")}`;
}

/** Reads an answer as a loop does: the plain text of `codex review` has a form of its own, without a sign-off. */
export function readAsked(contract: Contract, answer: AgentAnswer, options: ReadOptions = {}): ReturnType<typeof read> {
  const isPlain = contract === "issue-lines" && answer.structured === undefined && !answer.text.includes("{");
  return read(contract, answer, { signOff: isPlain ? "not-asked" : "required", ...options });
}
