import { parseArgs } from "node:util";
import { systemClock } from "@anneal/engine";
import {
  isOwned,
  loadSettings,
  openReader,
  type ProjectReader,
  readerIfReady,
  statusOf,
  ticks,
} from "@anneal/engine/project";
import { interruptible } from "../interruptible.ts";
import { statusText } from "../project/lines.ts";
import { clippedTo, json } from "../project/output.ts";
import { harmlessLine, painter } from "../style.ts";

const help = `anneal status: list every feature and its loop

  anneal status            the state of everything, and what waits for you
  anneal status --watch    the same, kept up to date until Ctrl-C
  anneal status --json     as data; with --watch one line of JSON per change

It changes nothing. Ids can be shortened to any unique beginning or ending.
`;

const EMPTY = `Nothing here yet. anneal add "what you want" puts a feature into the backlog; anneal run --all runs it.
`;
const REDRAW_MS = 1_000;

async function run(args: string[]): Promise<number> {
  const { values } = parseArgs({
    args,
    options: { json: { type: "boolean", default: false }, watch: { type: "boolean", default: false } },
  });
  if (values.watch) {
    await watch(process.cwd(), values.json ? "json" : "text");
    return 0;
  }
  using project = await openReader(process.cwd(), systemClock);
  process.stdout.write(values.json ? json(await statusOf(project)) : await text(project));
  return 0;
}

async function text(project: ProjectReader): Promise<string> {
  const { stdout } = process;
  const lines = await statusOf(project);
  if (lines.length === 0) return EMPTY;
  const list = statusText(lines, {
    paint: painter(stdout),
    columns: stdout.columns || 160,
    now: systemClock.now(),
    running: isOwned(project.repo),
    ids: stdout.isTTY ? "short" : "whole",
  });
  return `${list}${(await untold(project)).join("")}`;
}

/** What people should have been told and were not. */
async function untold({ root, store }: ProjectReader): Promise<string[]> {
  const isWell = ({ state }: { state: string }) => state === "sent" || state === "dropped";
  if (store === null || store.notices().every(isWell)) return [];
  const { notificationsShown, notificationTroubles } = await import("@anneal/engine/notify");
  const troubles = notificationTroubles(notificationsShown(await loadSettings(root), store));
  return troubles.map((line) => `! ${harmlessLine(line)}; see anneal notify\n`);
}

/** Shows every change; on a terminal in place, elsewhere one after another. */
async function watch(root: string, format: "json" | "text"): Promise<void> {
  const rewrites = process.stdout.isTTY === true && format === "text" && process.env.TERM !== "dumb";
  let shown = "";
  const show = async (project: ProjectReader) => {
    const whole = format === "json" ? json(await statusOf(project), 0) : await text(project);
    const next = rewrites ? clipped(whole, process.stdout) : whole;
    if (next === shown) return;
    if (rewrites && shown !== "") process.stdout.write(`\u001b[${shown.split("\n").length - 1}A\r\u001b[0J`);
    process.stdout.write(next);
    shown = next;
  };
  await interruptible(async (signal) => {
    while (!signal.aborted) {
      using project = await readerIfReady(root, systemClock);
      if (project !== null) await show(project);
      // A log that is only being made, or brought up to date, is looked for again; from then on its changes wake us.
      if (project === null || project.store === null) await systemClock.sleep(REDRAW_MS, signal).catch(() => {});
      else
        for await (const _ of ticks(project.store, { clock: systemClock, signal, everyMs: REDRAW_MS }))
          await show(project);
    }
  });
}

/** What fits on the screen: lines that have scrolled away cannot be drawn anew. */
function clipped(text: string, { rows, columns }: { rows: number; columns: number }): string {
  const lines = clippedTo(text.trimEnd(), columns || 80).split("\n");
  if (lines.length < rows) return `${lines.join("\n")}\n`;
  const shown = lines.slice(0, Math.max(1, rows - 2));
  const more = `… ${lines.length - shown.length} more lines; anneal status shows all`;
  return `${[...shown, clippedTo(more, columns || 80)].join("\n")}\n`;
}

export const command = { help, run };
