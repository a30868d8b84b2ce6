import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "@anneal/system/files/errors";
import { realTarget } from "@anneal/system/files/jail";
import { readRegular } from "@anneal/system/files/regular-file";

/** The files that a feature's iterations leave next to its feature.json. */
export const reviewFile = (iteration: number): string => `code-review-iteration-${checked(iteration)}.md`;
export const agentOutputFile = (iteration: number): string => `agent-output-iteration-${checked(iteration)}.md`;
/** Ids of steps are free text: what could lead out of the folder is written as in an address. */
export const stepOutputFile = (step: string, from?: number): string => {
  const later = from === undefined ? "" : `-from-iteration-${checked(from)}`;
  return `agent-output-pipeline-${encodeURIComponent(step.toWellFormed()).slice(0, LONGEST_ID)}${later}.md`;
};
const LONGEST_ID = 150;
/** What the last agent said, where Automaker looks for it. */
export const LATEST_AGENT_OUTPUT = "agent-output.md";

/** What stood there before an agent of ours spoke for the first time, or since: Automaker's own agents. */
const EARLIER_OUTPUT = "agent-output-earlier.md";

export async function readSibling(folder: string, name: string): Promise<string | null> {
  try {
    return readRegular(realTarget(join(folder, name), folder)).toString("utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** What an agent said, for an iteration or for a step of the custom pipeline, or what the review of an iteration came to. */
export type IterationOutput =
  | { iteration: number; output: string }
  /** `from`: the first iteration of its loop, where that is not the feature's first. */
  | { step: string; output: string; from?: number }
  | { iteration: number; review: string };

/**
 * The texts of a feature's files by their names. The output of a step is the latest one; that of an iteration is, unless a
 * later iteration has spoken already.
 */
export async function textsOf(folder: string, said: readonly IterationOutput[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const names = said.some((one) => "output" in one) ? await readdir(folder) : [];
  const earlier = await earlierIn(folder, names);
  if (earlier !== null) texts.set(EARLIER_OUTPUT, earlier);
  const spoke = new Set([0, ...numbersIn(names, OUTPUT)]);
  for (const one of said) {
    if ("review" in one) texts.set(reviewFile(one.iteration), one.review);
    else if ("step" in one) {
      texts.set(stepOutputFile(one.step, one.from), one.output);
      texts.set(LATEST_AGENT_OUTPUT, one.output);
    } else {
      texts.set(agentOutputFile(one.iteration), one.output);
      spoke.add(one.iteration);
      if (Math.max(...spoke) === one.iteration) texts.set(LATEST_AGENT_OUTPUT, one.output);
    }
  }
  return texts;
}

/** What is to be kept of the latest output where no agent of ours said that; null where there is nothing to keep, or it is kept. */
async function earlierIn(folder: string, names: readonly string[]): Promise<string | null> {
  if (!names.includes(LATEST_AGENT_OUTPUT)) return null;
  const found = await readSibling(folder, LATEST_AGENT_OUTPUT);
  if (found === null || found === "") return null;
  for (const name of names.filter((one) => OURS.test(one)))
    if ((await readSibling(folder, name)) === found) return null;
  const kept = await readSibling(folder, EARLIER_OUTPUT);
  if (kept === null) return found;
  return kept.includes(found) ? null : `${kept}\n\n---\n\n${found}`;
}

const OURS = /^agent-output-(?:iteration|pipeline)-/;
const OUTPUT = /^agent-output-iteration-(\d+)\.md$/;
const REVIEW = /^code-review-iteration-(\d+)\.md$/;

/** The numbers of the iterations that have a review next to feature.json, in order. */
export async function reviewsIn(folder: string): Promise<number[]> {
  return numbersIn(await readdir(folder), REVIEW).sort((a, b) => a - b);
}

function numbersIn(names: readonly string[], pattern: RegExp): number[] {
  return names.map((name) => Number(pattern.exec(name)?.[1] ?? 0)).filter((number) => number > 0);
}

function checked(iteration: number): number {
  if (Number.isSafeInteger(iteration) && iteration > 0) return iteration;
  throw new RangeError(`${iteration} is not the number of an iteration`);
}
