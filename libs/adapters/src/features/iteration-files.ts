import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomic } from "../files/atomic.ts";
import { systemCode } from "../files/errors.ts";
import { realTarget } from "../files/jail.ts";

/** The files that a feature's iterations leave beside its feature.json. */
export const reviewFile = (iteration: number): string => `code-review-iteration-${checked(iteration)}.md`;
export const agentOutputFile = (iteration: number): string => `agent-output-iteration-${checked(iteration)}.md`;
/** Ids of steps are free text: what could lead out of the folder is written as in an address. */
export const stepOutputFile = (step: string): string =>
  `agent-output-pipeline-${encodeURIComponent(step.toWellFormed()).slice(0, LONGEST_ID)}.md`;
const LONGEST_ID = 150;
/** What the last agent said, where Automaker looks for it. */
export const LATEST_AGENT_OUTPUT = "agent-output.md";

export async function writeBeside(folder: string, name: string, text: string): Promise<void> {
  await writeAtomic(join(folder, name), text, { jail: folder });
}

export async function readBeside(folder: string, name: string): Promise<string | null> {
  try {
    return await readFile(await realTarget(join(folder, name), folder), "utf8");
  } catch (error) {
    if (systemCode(error) === "ENOENT") return null;
    throw error;
  }
}

/** Writes an iteration's output; it also becomes the latest, unless a later iteration has spoken already. */
export async function writeOutput(folder: string, iteration: number, text: string): Promise<void> {
  await writeBeside(folder, agentOutputFile(iteration), text);
  const names = await readdir(folder);
  const numbers = names.map((name) => Number(/^agent-output-iteration-(\d+)\.md$/.exec(name)?.[1] ?? 0));
  if (Math.max(...numbers) === iteration) await writeBeside(folder, LATEST_AGENT_OUTPUT, text);
}

/** Writes what the agent of a pipeline step said, which is then the latest. */
export async function writeStepOutput(folder: string, step: string, text: string): Promise<void> {
  await writeBeside(folder, stepOutputFile(step), text);
  await writeBeside(folder, LATEST_AGENT_OUTPUT, text);
}

/** The numbers of the iterations that have a review beside feature.json, in order. */
export async function reviewsIn(folder: string): Promise<number[]> {
  const numbers = (await readdir(folder)).map((name) =>
    Number(/^code-review-iteration-(\d+)\.md$/.exec(name)?.[1] ?? 0),
  );
  return numbers.filter((number) => number > 0).sort((a, b) => a - b);
}

function checked(iteration: number): number {
  if (Number.isSafeInteger(iteration) && iteration > 0) return iteration;
  throw new RangeError(`${iteration} is not the number of an iteration`);
}
