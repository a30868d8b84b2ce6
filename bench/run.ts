// Speed and memory as ratios to a baseline of the same run. `--quick` measures less often, `--loops` only what loops cost,
// `--agents` only what driving real agents costs, `--server-events` only what telling many listeners costs,
// `--server-items` only what lists of work items cost, `--ui` only the pages in a browser, `--workspaces` only what
// private clones cost, `--commands` only what one command about one feature costs. `--readers` and `--identity` measure
// no speed: they count what the readers make of honest answers, and which findings of a later review are known again. With
// `--questions DIR` the latter writes what a reviewer would be asked, and with `--answers DIR` it keeps what was answered there.
import { errorMessage } from "@anneal/types/unknown";
import { agentBenches } from "./agents/benches.ts";
import { analyticsBenches } from "./analytics/benches.ts";
import { commandBenches } from "./commands/benches.ts";
import { identityAnswers, identityBench, identityQuestions } from "./identity/bench.ts";
import { largeDiff } from "./large-diff.ts";
import { loopBenches } from "./loops/benches.ts";
import { playPart } from "./parts.ts";
import { readerBenches } from "./readers/benches.ts";
import { scratch } from "./scratch.ts";
import { serverEventBenches } from "./server/event-benches.ts";
import { serverItemBenches } from "./server/item-benches.ts";
import { startUp } from "./startup.ts";
import { type Bench, type Measure, table, withinLimit } from "./table.ts";
import { uiBenches } from "./ui/benches.ts";
import { workspaceBenches } from "./workspaces/benches.ts";

const SECTIONS = {
  "--loops": loopBenches,
  "--analytics": analyticsBenches,
  "--agents": agentBenches,
  "--server-events": serverEventBenches,
  "--server-items": serverItemBenches,
  "--readers": readerBenches,
  "--ui": uiBenches,
  "--workspaces": workspaceBenches,
  "--commands": commandBenches,
};
type Section = keyof typeof SECTIONS;

const options = process.argv.slice(2);
const [first, part = "", ...args] = options;
if (first === "--part") await playPart(part, args);
else if (options.includes("--identity")) await identity();
else {
  const only = sections().find((one) => options.includes(one));
  bench({ quick: options.includes("--quick"), only });
  if (only === undefined) await identity();
}

async function identity(): Promise<void> {
  using temp = scratch();
  const [into, from] = [folderAfter("--questions"), folderAfter("--answers")];
  if (into !== undefined) return void process.stdout.write(await identityQuestions(temp.dir, into));
  if (from !== undefined) return void process.stdout.write(await identityAnswers(temp.dir, from));
  const { text, isMet } = await identityBench(temp.dir);
  process.stdout.write(text);
  if (!isMet) process.exitCode = 1;
}

function folderAfter(flag: string): string | undefined {
  return options.includes(flag) ? options[options.indexOf(flag) + 1] : undefined;
}

function bench({ quick, only }: { quick: boolean; only: Section | undefined }): void {
  using temp = scratch();
  if (only === undefined) {
    show("CPU of the compiled CLI, git included", startUp(temp.dir, quick ? 10 : 30));
    const { title, measures } = largeDiff(temp.dir, quick ? 2 : 6);
    show(`A large diff: ${title}`, measures);
  }
  const chosen = only === undefined ? sections() : [only];
  const benches = Object.assign({}, ...chosen.map((one) => SECTIONS[one](temp.dir, quick)));
  for (const [name, measure] of Object.entries<() => Bench>(benches)) tryBench(name, measure);
}

function sections(): Section[] {
  return Object.keys(SECTIONS) as Section[];
}

function tryBench(name: string, measure: () => Bench): void {
  try {
    const { title, measures, note } = measure();
    show(title, measures, note);
  } catch (error) {
    process.stdout.write(`${name} could not be measured: ${errorMessage(error)}\n\n`);
    process.exitCode = 1;
  }
}

function show(title: string, measures: readonly Measure[], note?: string): void {
  process.stdout.write([title, table(measures), ...(note === undefined ? [] : [note]), ""].join("\n\n"));
  if (!measures.every(withinLimit)) process.exitCode = 1;
}
