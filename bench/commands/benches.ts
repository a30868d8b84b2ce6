import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { median } from "../median.ts";
import { startPart } from "../parts.ts";
import type { Bench } from "../table.ts";
import { NEEDED_PROCESSES, neededList } from "./needed-git.ts";

const FEATURES = 20_000;
const EVENTS = 100_000;
const GIT_PROCESSES = 28;

/** What one command about one feature costs, whatever else the project holds. */
export function commandBenches(dir: string, quick: boolean): Record<string, () => Bench> {
  return { commands: () => commands(join(dir, "commands"), quick ? 5 : 15) };
}

function commands(dir: string, runs: number): Bench {
  mkdirSync(dir);
  const { empty, many, old, loops, bareCpuMs } = startPart("commands", dir, runs, FEATURES, EVENTS);
  rmSync(dir, { recursive: true });
  const run = median(empty.runCpuMs);
  const show = median(empty.showCpuMs);
  const inEmpty = (value: number, limit: number) => ({ baseline: { name: "in an empty project", value }, limit });
  const atEvents = `at ${EVENTS} events, ${loops} ended loops`;
  return {
    title: "anneal run of one feature, one round, agents of 0 s: CPU of the compiled CLI, git included",
    measures: [
      {
        measure: "anneal run of one feature",
        ours: run,
        baseline: { name: "needed git commands", value: median(bareCpuMs) },
        unit: "ms",
        limit: 5,
      },
      {
        measure: `git processes (needed: ${NEEDED_PROCESSES})`,
        ours: median(empty.gitProcesses),
        unit: "processes",
        limit: GIT_PROCESSES,
      },
      {
        measure: `one more feature at ${FEATURES} features`,
        ours: median(many.runCpuMs),
        unit: "ms",
        ...inEmpty(run, 2),
      },
      { measure: `one more feature ${atEvents}`, ours: median(old.runCpuMs), unit: "ms", ...inEmpty(run, 2) },
      {
        measure: `file watches at ${FEATURES} features`,
        ours: median(many.watches),
        unit: "watches",
        ...inEmpty(median(empty.watches), 1),
      },
      { measure: `anneal show at ${FEATURES} features`, ours: median(many.showCpuMs), unit: "ms", ...inEmpty(show, 2) },
      { measure: `anneal show ${atEvents}`, ours: median(old.showCpuMs), unit: "ms", ...inEmpty(show, 2) },
    ],
    note: `The git commands that a feature needs, in a project that has had one:\n${neededList()}`,
  };
}
