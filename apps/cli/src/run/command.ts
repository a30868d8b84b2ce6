import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import {
  isApproval,
  itemNamed,
  itemOf,
  loadSettings,
  openReader,
  type ProjectReader,
  type StatusLine,
  statusOf,
} from "@anneal/engine/project";
import { counted, shortId } from "../project/output.ts";
import { harmlessLine } from "../style.ts";
import { playersHelp } from "./players-help.ts";
import { castOf, concurrency, failed, RUNNING, runHere } from "./running.ts";

const help = `anneal run: run the loops of features

  anneal run                continue what was interrupted
  anneal run ID ID          also run these features
  anneal run --all          also run everything in the backlog
  anneal run --auto         the same, but pause after three failures in a row

  --concurrency N           loops at the same time (default: maxConcurrency in the settings, or 3)
  --agent NAME              the agent for every role
  --implementer NAME  --reviewer NAME  --fixer NAME
                            the agent for one role ({id} in a name stands for the feature's id; default: "agents" in the settings)
  --json                    one line of JSON per event on standard output

${playersHelp()}

One process runs the loops of a project. If one runs already, this command passes the features to it and watches.
Ctrl-C stops the agents; the next anneal run continues.

Exit code: 0 everything passed or only waits for approval, 1 something failed, was paused or stopped, or needs you
(without an ID: anything in the project), 2 usage, 130 stopped.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = read(args);
  const { root, only, limit, problems, hint } = await chosen(values, positionals);
  const named = only !== undefined && only.length > 0;
  const result = await runHere({
    command: "run",
    root,
    limit,
    cast: castOf(values),
    json: values.json,
    trust: values.trust,
    hint,
    problems,
    ...(only === undefined ? {} : { only }),
    ...(values.auto ? { pauses: true } : {}),
  });
  if (!values.json && [...result.settled.keys()].some((key) => key.startsWith("story:"))) {
    const { questionsIn, tellQuestion } = await import("../project/ask.ts");
    for (const question of questionsIn(result)) tellQuestion(question);
  }
  const others = named ? [] : (await waiting(root)).filter(({ id }) => !result.settled.has(id));
  if (others.length > 0) process.stderr.write(waitingText(others));
  return failed(result) || others.length > 0 ? 1 : 0;
}

/** What goes on only once a person has decided, more than an approval. */
async function waiting(root: string): Promise<StatusLine[]> {
  using project = await openReader(root, systemClock);
  return (await statusOf(project)).filter(needsDecision);
}

function needsDecision({ loop }: StatusLine): boolean {
  return loop?.stage === "waiting-for-human" && !isApproval(loop.reason);
}

const NAMED_AT_MOST = 3;

function waitingText(lines: readonly StatusLine[]): string {
  const first = lines.slice(0, NAMED_AT_MOST).map(({ id, loop }) => `${shortId(id)} (${loop?.reason})`);
  const more = lines.length > first.length ? ` and ${lines.length - first.length} more` : "";
  const some = counted(lines.length, "item needs your decision", "items need your decision");
  return `anneal run: ${some}: ${harmlessLine(first.join(", "))}${more}; see anneal status\n`;
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
      ...RUNNING,
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
    if (names.length > 0) throw new UsageError("name features or use --all or --auto, not both");
    return { ...common, only: undefined, hint: null };
  }
  const only: string[] = [];
  for (const name of names) only.push(await keyNamed(project, name));
  return { ...common, only: [...new Set(only)], hint: only.length === 0 ? await hintFor(project) : null };
}

/** A ticket or unit may be named in full before it has a loop; whether there is one, the run finds out. */
async function keyNamed(project: ProjectReader, name: string): Promise<string> {
  try {
    return (await itemNamed(project, name)).id;
  } catch (error) {
    const { kind } = itemOf(name);
    if (!(error instanceof UsageError) || kind === "feature" || kind === "branch") throw error;
    return name;
  }
}

/** What to say where a bare `anneal run` finds nothing to go on with. */
async function hintFor(project: ProjectReader): Promise<string | null> {
  if ((await statusOf(project)).some(needsDecision)) return null;
  const entries = await project.features.list();
  const waiting = entries.filter((entry) => "feature" in entry && entry.feature.status === "backlog");
  if (waiting.length === 0) return null;
  const [first] = waiting;
  const some = counted(waiting.length, "feature waits", "features wait");
  return `nothing to continue; ${some} in the backlog: anneal run ${shortId(first?.id ?? "ID")}, or anneal run --all`;
}

export const command = { help, run };
