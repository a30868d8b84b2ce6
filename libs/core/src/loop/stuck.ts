import type { Finding, LoopState } from "@anneal/types";
import { isJudgement } from "../gate/gate.ts";
import { block, oneLine } from "../text/text.ts";
import { isOfHook } from "./commit-hook.ts";

/** What keeps a loop from going on, as a person who has to decide reads it. */
export interface StuckOn {
  title: string;
  file: string | null;
  line: number | null;
  /** What the program said that found it, its last lines. */
  said: string;
}

/** What a loop is at or waits over that no review lists: red checks, what a hook refused, words of people. */
export function stuckOn(state: LoopState): StuckOn[] {
  const at = state.stage === "waiting-for-human" ? state.kept.problems : "problems" in state ? state.problems : [];
  return unlisted(state, at ?? []).map(({ title, file = null, line = null, description }) => {
    return { title: oneLine(title), file, line, said: lastLines(block(description)) };
  });
}

/** Findings of reviews are listed with their rounds; what else is wrong is named where it stops the loop, or nowhere. */
export function unlisted({ findings }: LoopState, problems: readonly Finding[]): Finding[] {
  const isTracked = ({ title }: Finding) => findings.some((entry) => entry.finding.title === title);
  return problems.filter((problem) => !isJudgement(problem) && !isTracked(problem));
}

/** Names what is wrong: in more words where it is listed nowhere else. */
export function stuckOnAll(problems: readonly Finding[], { names, chars } = { names: 5, chars: 160 }): string {
  const named = problems.slice(0, names).map((problem) => {
    // Only its own words tell one refusal of a hook from another.
    const said = isOfHook(problem) ? oneLine(problem.description) : "";
    return `${quoted(problem.title, chars)}${placeOf(problem)}${said === "" ? "" : `: "${endOf(said, chars)}"`}`;
  });
  const more = problems.length - named.length;
  return `stuck on ${named.join(", ")}${more === 0 ? "" : ` and ${more} more`}`;
}

/** Words of agents and programs: one short line of them is enough here. */
function quoted(text: string, chars: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  return `"${line.length > chars ? `${line.slice(0, chars - 1)}…` : line}"`;
}

function placeOf({ file, line }: Finding): string {
  if (file === undefined) return "";
  return line === undefined ? ` in ${file}` : ` in ${file}:${line}`;
}

const LINES = 30;
const CHARS = 4_000;

function lastLines(text: string): string {
  const lines = text.split("\n");
  const kept = lines.slice(-LINES).join("\n");
  if (kept.length > CHARS) return endOf(kept, CHARS + 1);
  return lines.length > LINES ? `…\n${kept}` : kept;
}

/** Programs come to the point at their end. */
function endOf(text: string, chars: number): string {
  return text.length > chars ? `…${text.slice(1 - chars).toWellFormed()}` : text;
}
