import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import {
  type AutoResult,
  anchored,
  isFailure,
  itemNamed,
  loadSettings,
  openReader,
  PARTS,
  type ProjectReader,
  run as runHere,
} from "@anneal/engine/project";
import { interruptible } from "../interruptible.ts";
import { counted, shortId } from "../project/output.ts";
import { person } from "../project/person.ts";
import { harmlessLine } from "../style.ts";
import { board } from "./board.ts";
import { jsonLines } from "./json-lines.ts";
import { resultText } from "./result.ts";

const help = `anneal run: run features through their loops

  anneal run                go on with what was interrupted
  anneal run ID ID          run these features, too
  anneal run --all          run everything in the backlog, too
  anneal run --auto         the same, but pause after three failures in a row

  --concurrency N           loops at the same time (default: maxConcurrency of the settings, or 3)
  --agent NAME              who plays every part: scripted:FILE, replay:FILE
  --implementer NAME  --reviewer NAME  --fixer NAME
                            who plays one part; reviewer and fixer can be builtin
                            ({id} in a name stands for the feature's id; default: "agents" of the settings)
  --json                    one line of JSON per event on standard output

One process runs the loops of a project. Beside it, this command hands the features over and watches.
Ctrl-C stops the agents and records that; the next anneal run goes on.

Exit code: 0 everything passed or waits for approval only, 1 something failed or needs a person, 2 usage, 130 stopped.
`;

const PAUSE_AFTER = 3;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = read(args);
  const { root, only, limit, problems, hint } = await chosen(values, positionals);
  for (const problem of problems) process.stderr.write(`anneal run: ${harmlessLine(problem)}\n`);
  const view = values.json ? jsonLines() : board();
  try {
    const result = await interruptible(
      (signal) =>
        runHere({
          root,
          clock: systemClock,
          cast: cast(values),
          limit,
          by: person(),
          signal,
          onEvent: view.event,
          onTrouble: (item, message) => view.say(`${item}: ${message}`),
          onBeside: (owner) => {
            const who = owner === null ? "another process" : `process ${owner.pid}`;
            view.say(`${who} runs this project; it is handed the work, and this one watches`);
          },
          ...(only === undefined ? {} : { only }),
          ...(values.auto ? { pauseAfter: PAUSE_AFTER } : {}),
        }),
      ["SIGINT", "SIGTERM"],
    );
    view.close();
    if (nothingRan(result) && hint !== null) throw new UsageError(hint);
    const mistake = onlyMistake(result);
    if (mistake !== null) throw mistake;
    if (!values.json) process.stdout.write(await resultText(root, result));
    return failed(result) ? 1 : 0;
  } finally {
    view.close();
  }
}

type Values = ReturnType<typeof read>["values"];

function read(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      all: { type: "boolean", default: false },
      auto: { type: "boolean", default: false },
      concurrency: { type: "string" },
      agent: { type: "string" },
      implementer: { type: "string" },
      reviewer: { type: "string" },
      fixer: { type: "string" },
      json: { type: "boolean", default: false },
    },
  });
}

async function chosen(values: Values, names: string[]) {
  using project = await openReader(process.cwd(), systemClock);
  const { settings, problems } = await loadSettings(project.root);
  const limit = values.concurrency === undefined ? settings.maxConcurrency : concurrency(values.concurrency);
  const common = { root: project.root, limit, problems };
  if (values.all || values.auto) {
    if (names.length > 0) throw new UsageError("name features, or use --all or --auto; not both");
    return { ...common, only: undefined, hint: null };
  }
  const only: string[] = [];
  for (const name of names) only.push((await itemNamed(project, name)).id);
  return { ...common, only: [...new Set(only)], hint: only.length === 0 ? await hintFor(project) : null };
}

/** What to say where a bare `anneal run` finds nothing to go on with. */
async function hintFor({ features }: ProjectReader): Promise<string | null> {
  const entries = await features.list();
  const waiting = entries.filter((entry) => "feature" in entry && entry.feature.status === "backlog");
  if (waiting.length === 0) return null;
  const [first] = waiting;
  const some = counted(waiting.length, "feature waits", "features wait");
  return `nothing was interrupted; ${some} in the backlog: anneal run ${shortId(first?.id ?? "ID")}, or anneal run --all`;
}

function concurrency(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 64) return value;
  throw new UsageError(`--concurrency takes a number from 1 to 64, not "${text}"`);
}

function cast(values: Values) {
  const entries = PARTS.flatMap((part) => {
    const name = values[part] ?? values.agent;
    return name === undefined ? [] : [[part, anchored(name, process.cwd())]];
  });
  return Object.fromEntries(entries);
}

function nothingRan({ settled, broken, blocked }: AutoResult): boolean {
  return settled.size === 0 && broken.size === 0 && blocked.length === 0;
}

/** Where nothing could run and the person can mend it, that is the answer. */
function onlyMistake({ settled, broken }: AutoResult): UsageError | null {
  const [first, ...more] = broken.values();
  const same = more.every((other) => other.message === first?.message);
  return settled.size === 0 && same && first instanceof UsageError ? first : null;
}

function failed({ settled, broken, blocked, paused, forOthers }: AutoResult): boolean {
  const own = (id: string) => !forOthers.has(id);
  const bad = [...settled].filter(([, state]) => isFailure(state)).map(([id]) => id);
  const stuck = blocked.map(({ id }) => id);
  return paused || [...bad, ...broken.keys(), ...stuck].some(own);
}

export const command = { help, run };
