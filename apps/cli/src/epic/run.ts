import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import { type EpicPlan, epicCast, planEpic, problemText } from "@anneal/engine/epics";
import {
  type CallerLocation,
  callerLocation,
  fromTop,
  loadSettings,
  openReader,
  refusedOf,
  refuseOthers,
} from "@anneal/engine/project";
import { castOf, concurrency, failed, RUNNING, runHere } from "../run/running.ts";
import { harmlessLine } from "../style.ts";
import { conclusion } from "./conclusion.ts";
import { dryRun } from "./dry-run.ts";

/** `anneal epic run`. */
export async function runEpic(args: string[]): Promise<number> {
  return await runOrResume(args, { failed: "left" });
}

export interface EpicRunOptions {
  /** Whether tickets that failed are started anew. */
  failed: "left" | "anew";
  /** Done once everything is found to be in order, before anything runs. */
  before?: (plan: EpicPlan, root: string) => Promise<void>;
}

export async function runOrResume(args: string[], manner: EpicRunOptions): Promise<number> {
  const { values, positionals } = read(args);
  const { base, json } = values;
  const name = onlyEpic(positionals);
  const caller = await callerLocation(process.cwd());
  const found = await look(name, { caller, base });
  if ("problems" in found) return refuse(found.problems);
  const { root } = found;
  const cast = castOf(values);
  const ready = await epicCast(root, found.plan, { cast });
  const plan = { ...found.plan, notes: [...found.plan.notes, ...ready.notes] };
  if (ready.problems.length > 0) return refuse(ready.problems);
  const only = keysToRun(plan, manner);
  if (values["dry-run"]) {
    using project = await openReader(root, systemClock);
    const refused = await refusedOf(project, only);
    process.stdout.write(dryRun(plan, { cast: ready.cast, runs: only, refused, json }));
    return refused.length > 0 ? 2 : 0;
  }
  const { settings, problems } = await loadSettings(root);
  for (const note of plan.notes) process.stderr.write(`anneal epic: ${harmlessLine(note)}\n`);
  await manner.before?.(plan, root);
  const result = await runHere({
    command: "epic",
    root,
    limit: values.concurrency === undefined ? settings.maxConcurrency : concurrency(values.concurrency),
    cast,
    overrides: base === undefined ? {} : { base },
    only,
    json,
    trust: values.trust,
    problems,
    hint: null,
  });
  const { text, completed } = await conclusion(root, name, caller);
  if (!json) process.stdout.write(text);
  return failed(result) || !completed ? 1 : 0;
}

/** The tickets that have not come to an end, and the epic, which takes in what they leave. */
function keysToRun({ key, tickets }: EpicPlan, { failed: lost }: EpicRunOptions): string[] {
  const ended = lost === "left" ? ["completed", "failed"] : ["completed"];
  return [...tickets.filter(({ status }) => !ended.includes(status)).map((ticket) => ticket.key), key];
}

function read(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      base: { type: "string" },
      concurrency: { type: "string" },
      ...RUNNING,
      "dry-run": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
}

export function onlyEpic([name, ...more]: readonly string[]): string {
  if (name === undefined) throw new UsageError("name an epic: anneal epic run .epics/NAME/NAME.epic.yaml");
  if (more.length > 0) throw new UsageError("one epic at a time");
  return name;
}

async function look(name: string, options: { caller: CallerLocation; base: string | undefined }) {
  const { caller } = options;
  await refuseOthers(caller, placesOf(name, caller));
  using project = await openReader(process.cwd(), systemClock);
  const found = await planEpic(project, name, options);
  if (!found.ok) return { problems: found.problems.map(problemText) };
  await refuseOthers(caller, [join(caller.here, dirname(found.plan.file))]);
  return { plan: found.plan, root: project.root };
}

/** The folders that a name may stand for in this work tree. */
function placesOf(name: string, caller: CallerLocation): string[] {
  const places = [resolve(name), join(caller.here, ".epics", name)];
  const folders = places.map((place) => (/\.ya?ml$/.test(place) ? dirname(place) : place));
  return folders.filter((folder) => fromTop(caller, folder)?.startsWith(".epics/"));
}

/** Every mistake at its place; nothing is started. */
function refuse(problems: readonly string[]): number {
  for (const problem of problems) process.stderr.write(`anneal epic: ${harmlessLine(problem)}\n`);
  return 2;
}
