import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import { analyticsOf, rebuildAnalytics } from "@anneal/engine/analytics";
import { openReader } from "@anneal/engine/project";
import { json } from "../project/output.ts";
import { painter } from "../style.ts";
import { statsText } from "./text.ts";

const help = `anneal stats: show statistics of this project's loops

  anneal stats                          iterations, passes at the first review, issues by category and day, time saved, cost
  anneal stats --from 2026-01-01        only since that day (in UTC)
  anneal stats --to 2026-01-31          only up to and including that day
  anneal stats --rebuild                recount the whole log, and write .automaker/analytics/review-loop.json
  anneal stats --json                   as data

Time saved is an estimate: minutes for each issue that was fixed without you, and for each review. Change them in the settings:
  "analytics": { "minutesPerFinding": 10, "minutesPerRound": 0 }
It changes nothing, unless --rebuild is given.
`;

const EMPTY = `Nothing to count yet. Run the backlog with anneal run --all.
`;
const EMPTY_RANGE = `Nothing happened in that time. anneal stats shows everything.
`;

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: {
      json: { type: "boolean", default: false },
      rebuild: { type: "boolean", default: false },
      from: { type: "string" },
      to: { type: "string" },
    },
  });
  const range = { from: day("from", values.from), to: day("to", values.to) };
  if (range.from !== undefined && range.to !== undefined && range.from > range.to)
    throw new UsageError(`--to ${range.to} is before --from ${range.from}`);
  using project = await openReader(process.cwd(), systemClock);
  const stats = values.rebuild ? await rebuildAnalytics(project, range) : await analyticsOf(project, range);
  if (values.json) process.stdout.write(json(stats));
  else if (stats.days.length === 0) process.stdout.write(stats.seq === 0 ? EMPTY : EMPTY_RANGE);
  else process.stdout.write(statsText(stats, painter(process.stdout)));
  return 0;
}

function day(option: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  // A day that is not in the calendar is taken for one of the next month.
  if (!Number.isNaN(time) && new Date(time).toISOString().startsWith(text)) return text;
  throw new UsageError(`--${option} needs a day such as 2026-01-31, not ${JSON.stringify(text)}`);
}

export const command = { help, run };
