import { systemClock, UsageError } from "@anneal/engine";
import { TRUST_VARIABLE } from "@anneal/engine/consent";
import {
  type AutoResult,
  anchored,
  damageTexts,
  isWell,
  PARTS,
  type RunOverrides,
  run,
  stopsLoops,
} from "@anneal/engine/project";
import { interruptible } from "../interruptible.ts";
import { person } from "../project/person.ts";
import { harmlessLine } from "../style.ts";
import { consentFirst } from "../trust/asking.ts";
import { warnUnboxed } from "../unboxed.ts";
import { board } from "./board.ts";
import { jsonLines } from "./json-lines.ts";
import { resultText } from "./result.ts";

/** The options of every command that runs loops: who plays. */
export const PLAYERS = {
  agent: { type: "string" },
  implementer: { type: "string" },
  reviewer: { type: "string" },
  fixer: { type: "string" },
} as const;

/** The same, and that what the repository names may run without asking. */
export const RUNNING = { ...PLAYERS, trust: { type: "boolean", default: false } } as const;

type Players = { [P in keyof typeof PLAYERS]?: string | undefined };

/** The agents that were named on the command line. */
export function castOf(values: Players): NonNullable<RunOverrides["cast"]> {
  const entries = PARTS.flatMap((part) => {
    const name = values[part] ?? values.agent;
    return name === undefined ? [] : [[part, anchored(name, process.cwd())]];
  });
  return Object.fromEntries(entries);
}

export function concurrency(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 64) return value;
  throw new UsageError(`--concurrency takes a number from 1 to 64, not "${text}"`);
}

export interface RunHere {
  /** The command's own name, for its messages. */
  command: string;
  root: string;
  limit: number;
  cast: NonNullable<RunOverrides["cast"]>;
  overrides?: Omit<RunOverrides, "cast">;
  only?: readonly string[];
  pauses?: boolean;
  /** Listens to the forge and goes on with what it says. */
  stays?: boolean;
  json: boolean;
  /** Whoever starts this run agrees to whatever the repository names. */
  trust: boolean;
  /** What is wrong with the settings. */
  problems?: readonly string[];
  /** What to say where there was nothing to do. */
  hint: string | null;
}

const PAUSE_AFTER = 3;

/** Runs loops with live progress on standard error, and says on standard output how they stand. */
export async function runHere({
  command,
  pauses,
  json,
  hint,
  trust,
  problems = [],
  ...args
}: RunHere): Promise<AutoResult> {
  const note = (problem: string) => process.stderr.write(`anneal ${command}: ${harmlessLine(problem)}\n`);
  for (const problem of problems) if (!stopsLoops(problem)) note(problem);
  if (args.only?.length !== 0) await warnUnboxed(command);
  if (trust) process.env[TRUST_VARIABLE] = "all";
  else if (args.only?.length !== 0) await consentFirst(args.root, json);
  const view = json ? jsonLines(command) : board();
  try {
    const result = await interruptible((signal) =>
      run({
        ...args,
        clock: systemClock,
        by: person(),
        signal,
        onEvent: view.event,
        onSeen: view.seen,
        onProgress: view.progress,
        onTrouble: (item, message) => view.say(`${item}: ${message}`),
        onOtherOwner: (owner) => {
          const who = owner === null ? "another process" : `process ${owner.pid}`;
          view.say(`${who} runs this project; this command passes the work to it and watches`);
        },
        ...(pauses === true ? { pauseAfter: PAUSE_AFTER } : {}),
      }),
    );
    view.close();
    const mistake = onlyMistake(result);
    // Whatever could not run for it names it already.
    const told = mistake === null && json ? [] : [...result.broken.values()].map(({ message }) => message);
    for (const damage of damageTexts(problems, args.root)) {
      if (!told.some((message) => message.includes(damage))) note(damage);
    }
    if (nothingRan(result) && hint !== null) throw new UsageError(hint);
    if (mistake !== null) throw mistake;
    if (!json) process.stdout.write(await resultText(args.root, result));
    return result;
  } finally {
    view.close();
  }
}

function nothingRan({ settled, broken, blocked }: AutoResult): boolean {
  return settled.size === 0 && broken.size === 0 && blocked.length === 0;
}

/** Where nothing could run, nothing waits for that and the person can mend it, that is the answer. */
function onlyMistake({ settled, broken, blocked }: AutoResult): UsageError | null {
  if (blocked.length > 0) return null;
  const [first, ...more] = broken.values();
  const same = more.every((other) => other.message === first?.message);
  return settled.size === 0 && same && first instanceof UsageError ? first : null;
}

/** Whether anything that this run was about did not go well. */
export function failed({ settled, broken, blocked, unwritten, paused, forOthers }: AutoResult): boolean {
  const own = (id: string) => !forOthers.has(id);
  const bad = [...settled].filter(([, state]) => !isWell(state)).map(([id]) => id);
  const stuck = blocked.map(({ id }) => id);
  return paused || [...bad, ...broken.keys(), ...unwritten.keys(), ...stuck].some(own);
}
