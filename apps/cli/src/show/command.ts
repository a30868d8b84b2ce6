import { parseArgs } from "node:util";
import { systemClock } from "@anneal/engine";
import { onlyId, withItem } from "../project/one-item.ts";
import { json, shortId } from "../project/output.ts";
import { painter } from "../style.ts";
import { detailsOf } from "./details.ts";
import { detailsText } from "./text.ts";

const help = `anneal show: show one feature and its loop

  anneal show ID           rounds, findings, decisions, files, and what it waits for
  anneal show ID --json    as data

anneal history ID lists the events behind it.
`;

async function run(args: string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const details = await withItem(onlyId(positionals, "show"), detailsOf);
  const { stdout } = process;
  const screen = {
    paint: painter(stdout),
    columns: stdout.columns || 100,
    now: systemClock.now(),
    name: stdout.isTTY ? shortId(details.id) : details.id,
  };
  stdout.write(values.json ? json(details) : detailsText(details, screen));
  return 0;
}

export const command = { help, run };
