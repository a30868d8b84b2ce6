import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { median } from "../median.ts";
import { startPart } from "../parts.ts";
import type { Bench, Measure } from "../table.ts";
import { neededList } from "./needed-git.ts";

const LOOPS = 1_000;
const EARLY_EVENT = 10;
const LATE_EVENT = 10_000;
/** Far inside the 5 s and 100 ms of seed 002. */
const REVISION_LIMIT_MS = 2_000;
const UPDATE_LIMIT_MS = 50;

/** What durable loops cost. Each bench works in a folder of its own, and can fail without the others. */
export function loopBenches(dir: string, quick: boolean): Record<string, () => Bench> {
  const folder = (name: string) => join(dir, name);
  return {
    "a round": () => round(folder("round"), quick ? 2 : 7),
    "a state update": () => stateUpdate(folder("update"), quick ? 50 : 200),
    "a long loop": () => longLoop(folder),
    "waiting loops": () => waitingLoops(folder("waiting"), quick ? 3 : 7),
  };
}

function round(dir: string, features: number): Bench {
  const { ours, baseline, revisionMs, files } = startPart("round", dir, features);
  rmSync(dir, { recursive: true });
  const row = (measure: string, of: "cpuMs" | "ms" | "gitProcesses", unit: Measure["unit"]): Measure => ({
    measure,
    ours: median(ours.map((one) => one[of])),
    baseline: { name: "needed git commands", value: median(baseline.map((one) => one[of])) },
    unit,
  });
  return {
    title: `A round in a repository of ${files} files: implement or fix, validate, commit, review; agents take no time`,
    measures: [
      { ...row("CPU", "cpuMs", "ms"), limit: 1.5 },
      row("time", "ms", "ms"),
      row("git processes", "gitProcesses", "processes"),
      { measure: "failing review to fixed", ours: median(revisionMs), unit: "ms", limit: REVISION_LIMIT_MS },
    ],
    note: `The git commands that a round needs:\n${neededList()}`,
  };
}

function stateUpdate(dir: string, runs: number): Bench {
  mkdirSync(dir);
  const { ours, baseline, worst, files, bytes } = startPart("update", dir, runs);
  return {
    title: `A state update: one event into the log, ${files} files of its feature (${(bytes / 1_024).toFixed(0)} KB)`,
    measures: [
      {
        measure: "log and files",
        ours,
        baseline: { name: "bare write, fsync, rename", value: baseline },
        unit: "ms",
        limit: 3,
      },
      { measure: "log and files, absolute", ours, unit: "ms", limit: UPDATE_LIMIT_MS },
      { measure: `the slowest of ${runs}`, ours: worst, unit: "ms" },
    ],
  };
}

function longLoop(folder: (name: string) => string): Bench {
  const rows = (kind: string, measure: string, limit?: number): Measure[] => {
    mkdirSync(folder(kind));
    const [early, late] = startPart("events", folder(kind), kind, EARLY_EVENT, LATE_EVENT);
    if (early === undefined || late === undefined) throw new Error("there is nothing to compare");
    const row = (name: string, of: keyof typeof early): Measure => ({
      measure: name,
      ours: late[of],
      baseline: { name: `from event ${EARLY_EVENT}`, value: early[of] },
      unit: "µs",
    });
    return [
      limit === undefined ? row(measure, "all") : { ...row(measure, "all"), limit },
      row("  deciding", "decide"),
      row("  log, summary, telling", "remember"),
      row("  files", "project"),
    ];
  };
  return {
    title: `CPU of an event from number ${LATE_EVENT} of its loop on`,
    measures: [
      ...rows("work", "attempts, breaks, pauses, rulings; 5 reviews", 1.5),
      ...rows("feedback", "news of the forge, pauses; 3 reviews", 1.5),
      ...rows("reviews", `reviews without end: feature.json holds them all`),
    ],
    note: [
      "A loop has few reviews, since policies limit them and people have to send it on; what it can have by the thousand is the rest.",
      "Young loops have had one review here, old ones as many as the row says. Reviews without end are for information: seed 000 keeps",
      "every one of them, with its diff, in one file, which is written as a whole.",
    ].join("\n"),
  };
}

function waitingLoops(dir: string, runs: number): Bench {
  const { events } = startPart("fixture", dir, LOOPS);
  const samples = Array.from({ length: runs }, () => restarted(dir));
  // The fastest of each: all three are computing, and what makes a run slower is somebody else.
  const of = (pick: (sample: (typeof samples)[number]) => number) => Math.min(...samples.map(pick));
  const { percent, peakMb } = startPart("owner", dir, 10_000);
  const against = { baseline: { name: "reading the log bare", value: of((one) => one.bareMs) }, unit: "ms" } as const;
  return {
    title: `A project with ${LOOPS} loops that wait for a person, ${events} events`,
    measures: [
      { measure: "owner at rest, memory at the most", ours: peakMb, unit: "MB", limit: 250 },
      { measure: "owner at rest, CPU over 10 s", ours: percent, unit: "%", limit: 1 },
      { measure: "restart after a kill", ours: of((one) => one.openMs), ...against, limit: 3 },
      { measure: "replay of every loop, as each goes on", ours: of((one) => one.replayMs), ...against },
    ],
  };
}

/** A restart writes the files that are behind, so each one gets a copy of the project in which they still are. */
function restarted(dir: string): { openMs: number; replayMs: number; bareMs: number } {
  const copy = `${dir}-copy`;
  cpSync(dir, copy, { recursive: true });
  const { ms: bareMs } = startPart("bare", copy);
  const { openMs, replayMs, loops } = startPart("restart", copy);
  rmSync(copy, { recursive: true });
  if (loops !== LOOPS) throw new Error(`${loops} of ${LOOPS} loops are open`);
  return { openMs, replayMs, bareMs };
}
