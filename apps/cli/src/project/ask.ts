import { createInterface } from "node:readline";
import { seenIn } from "@anneal/core/seen";
import { choose, type Escalation, escalation } from "@anneal/core/stories";
import { systemClock } from "@anneal/engine";
import { type AutoResult, itemOf, openNamedItem, rightOfSignal, sendSignal } from "@anneal/engine/project";
import type { LoopState, SignalName } from "@anneal/types";
import { harmless, harmlessLine } from "../style.ts";
import { speaker } from "./person.ts";
import { standsAt } from "./words.ts";

/** A story that waits for one of the seed's answers. */
export interface StoryQuestion {
  key: string;
  asked: Escalation;
  /** What it is asked about. */
  state: LoopState;
}

export function questionsIn({ settled }: Pick<AutoResult, "settled">): StoryQuestion[] {
  return [...settled].flatMap(([key, state]) => {
    const { kind, id } = itemOf(key);
    const asked = kind === "story" ? escalation({ id }, state) : null;
    return asked === null ? [] : [{ key, asked, state }];
  });
}

/** Whether somebody sits there who could answer. */
export function isAsking(json: boolean): boolean {
  return !json && process.stdin.isTTY === true && process.stdout.isTTY === true;
}

/** The question where nobody can answer it now, and how to answer it later. */
export function tellQuestion({ key, asked }: StoryQuestion): void {
  const commands = asked.choices.map((choice) => `  ${choice.key}) anneal ${choice.signal} ${key}`);
  process.stdout.write(`\n${harmless(asked.text)}\n${commands.join("\n")}\n\n${waitsAt(asked)}\n`);
}

/** Asks about one story after another, and takes the answers to their loops; gives where those that were answered stand. */
export async function answered(
  root: string,
  questions: readonly StoryQuestion[],
  whom: Terminal = process,
): Promise<Map<string, LoopState>> {
  const heard = new Map<string, LoopState>();
  for (const question of questions) {
    const signal = await ask(question, whom);
    const state = signal === null ? null : await tell(root, question, signal);
    if (state !== null) heard.set(question.key, state);
  }
  return heard;
}

const PROMPT = "Your choice:";

/** Whom to ask. */
export interface Terminal {
  stdin: NodeJS.ReadableStream;
  stdout: NodeJS.WritableStream;
}

/** Asks until there is an answer that can be taken; null where the person leaves it open. */
export async function ask(
  { key, asked }: Pick<StoryQuestion, "key" | "asked">,
  { stdin: input, stdout: output }: Terminal = process,
): Promise<SignalName | null> {
  const text = harmless(asked.text);
  output.write(`\n${waitsAt(asked)}\n\n${text.slice(0, text.lastIndexOf(PROMPT))}`);
  const terminal = createInterface({ input, output, prompt: `${PROMPT} ` });
  let left = false;
  terminal.once("SIGINT", () => terminal.close());
  terminal.once("close", () => {
    left = true;
  });
  try {
    terminal.prompt();
    for await (const typed of terminal) {
      const signal = choose(asked, typed);
      if (signal !== null) return signal;
      output.write(`type ${asked.choices.map((choice) => choice.key).join(", ")}, or press Ctrl-D to decide later\n`);
      if (!left) terminal.prompt();
    }
  } finally {
    terminal.close();
  }
  const later = asked.choices.map((choice) => choice.signal).join(" | ");
  output.write(`\nThe story waits. Answer later with anneal ${later} ${key}\n`);
  return null;
}

function waitsAt({ waitsAt: path }: Escalation): string {
  return `The findings document is at ${path}; it is committed to docs/progress/ when the story is done.`;
}

async function tell(root: string, { key, state }: StoryQuestion, signal: SignalName): Promise<LoopState | null> {
  using talk = await openNamedItem(root, key, systemClock);
  const { row } = talk;
  if (row === null) return null;
  const said = { signal, seen: seenIn(row.loop, state) };
  const answer = await sendSignal(
    { ...talk, row, ...(await speaker(rightOfSignal(signal))), clock: systemClock },
    said,
  );
  if (answer.result !== "taken") {
    const why =
      answer.result === "refused" ? `was refused: ${answer.reason}` : "waits for the process that runs the loops";
    process.stderr.write(`anneal story: ${signal} ${harmlessLine(why)}\n`);
    return null;
  }
  process.stdout.write(`${signal}: ${harmlessLine(standsAt(answer.state))}\n`);
  return answer.state;
}
