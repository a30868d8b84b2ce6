import { systemClock } from "@anneal/engine";
import { type AutoResult, openReader, statusOf } from "@anneal/engine/project";
import { statusText } from "../project/lines.ts";
import { shortId } from "../project/output.ts";
import { harmlessLine, painter } from "../style.ts";

/** How a run ended: the features that took part, and why others did not. */
export async function resultText(root: string, result: AutoResult): Promise<string> {
  const { stdout } = process;
  const paint = painter(stdout);
  const ids = stdout.isTTY ? "short" : "whole";
  const name = (id: string) => (ids === "short" ? shortId(id) : id);
  using project = await openReader(root, systemClock);
  const ran = await statusOf(project, [...result.settled.keys()]);
  const screen = { paint, columns: stdout.columns || 160, now: systemClock.now(), running: true, ids } as const;
  const notes = [
    ...[...result.broken].map(
      ([id, why]) => `${paint("red", "✘")} ${name(id)} could not run: ${harmlessLine(why.message)}`,
    ),
    ...[...result.unwritten].map(
      ([id, why]) =>
        `${paint("red", "✘")} the files of ${name(id)} do not show its latest state yet: ${harmlessLine(why)}`,
    ),
    ...result.blocked.map(
      ({ id, because }) => `${paint("yellow", "–")} ${name(id)} did not start: ${harmlessLine(because)}`,
    ),
    ...(result.paused ? [paint("yellow", "Paused after three failures in a row. Continue with anneal run.")] : []),
  ];
  if (ran.length === 0 && notes.length === 0) return "Nothing to do.\n";
  return `${ran.length === 0 ? "" : statusText(ran, screen)}${notes.map((line) => `${line}\n`).join("")}`;
}
