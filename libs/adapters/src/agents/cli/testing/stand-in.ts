import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Argv } from "@anneal/system/programs/command";
import type { PlannedRun } from "../../../testing/agent-contract.ts";

export interface StandInRun {
  stdout: string[];
  stderr?: string[];
  exit?: number;
  hangs?: true;
  writes?: Record<string, string>;
}

/**
 * A program that stands in for a command-line agent: its n-th start prints what the n-th run says. It proves how output
 * is read, and nothing about the real program. Its arguments and input are left in `asked.json` next to it.
 */
export function standIn(folder: string, runs: readonly StandInRun[]): Argv {
  const program = join(folder, "stand-in.mjs");
  writeFileSync(join(folder, "runs.json"), JSON.stringify(runs));
  writeFileSync(join(folder, "started.txt"), "");
  writeFileSync(program, PROGRAM);
  return [process.execPath, program];
}

const PROGRAM = `
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
const here = import.meta.dirname;
const runs = JSON.parse(readFileSync(join(here, "runs.json"), "utf8"));
const number = readFileSync(join(here, "started.txt"), "utf8").length;
appendFileSync(join(here, "started.txt"), ".");
const run = runs[number];
writeFileSync(join(here, "asked.json"), JSON.stringify({ args: process.argv.slice(2), input: readFileSync(0, "utf8"), env: process.env }));
for (const [path, content] of Object.entries(run.writes ?? {})) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
for (const line of run.stderr ?? []) console.error(line);
for (const line of run.stdout) console.log(line);
process.exitCode = run.exit ?? 0;
if (run.hangs) setInterval(() => {}, 1000);
`;

/** A planned run in an agent's own form; without its last line there is no terminal event. */
export function planned({ end, answer, writes = {} }: PlannedRun, lines: (answer: string) => string[]): StandInRun {
  const all = lines(answer);
  if (end === "finished") return { stdout: all, writes };
  if (end === "hang") return { stdout: all.slice(0, -1), writes, hangs: true };
  return { stdout: all.slice(0, -1), writes, exit: end === "crash" ? 3 : 0 };
}
