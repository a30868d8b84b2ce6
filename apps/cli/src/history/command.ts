import { parseArgs } from "node:util";
import { systemClock } from "@anneal/engine";
import { itemNamed, itemOf, type LoggedEvent, loopsOf, openReader, type ProjectStore } from "@anneal/engine/project";
import { json } from "../project/output.ts";
import { painter } from "../style.ts";
import { eventLine } from "./event-line.ts";
import { transcriptText } from "./transcript.ts";

const help = `anneal history: show the event log

  anneal history           the events of the whole project, oldest first
  anneal history ID        the events of one feature, over all its loops
  anneal history --json    one line of JSON per event

  --transcript             also show what the agents said and did: words, tool calls, results
`;

const PAGE = 500;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean", default: false }, transcript: { type: "boolean", default: false } },
  });
  using project = await openReader(process.cwd(), systemClock);
  const item = positionals[0] === undefined ? null : (await itemNamed(project, positionals[0])).id;
  const { store } = project;
  const paint = painter(process.stdout);
  let shown = 0;
  for (const logged of store === null ? [] : eventsOf(store, item)) {
    const line = values.json ? json(logged, 0) : `${eventLine(logged, { paint, ofMany: item === null })}\n`;
    process.stdout.write(line);
    shown += 1;
    const { seq, event } = logged;
    const hash = values.transcript && "transcript" in event ? event.transcript : undefined;
    if (hash === undefined) continue;
    for (const part of transcriptText(project.repo, hash, { paint, seq, asJson: values.json }))
      process.stdout.write(part);
  }
  if (shown === 0 && !values.json) process.stdout.write("No events yet. Start a loop with anneal run.\n");
  return 0;
}

/** Of one item: its loops come one after the other, and so do their events. */
function* eventsOf(store: ProjectStore, item: string | null): Generator<LoggedEvent> {
  if (item !== null) {
    for (const { loop } of loopsOf(store, itemOf(item))) yield* store.events(loop);
    return;
  }
  for (let since = 0; ; ) {
    const page = store.allEvents(since, PAGE);
    yield* page;
    since = page.at(-1)?.seq ?? since;
    if (page.length < PAGE) return;
  }
}

export const command = { help, run };
