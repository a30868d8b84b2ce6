import { parseArgs } from "node:util";
import { openRepo, systemClock, UsageError } from "@anneal/engine";
import {
  callerLocation,
  currentLoop,
  historyOf,
  loadSettings,
  openReader,
  type Refused,
  refusedOf,
} from "@anneal/engine/project";
import {
  planUnits,
  problemText,
  refuseOtherUnits,
  refuseOwnTarget,
  refuseUnits,
  type UnitsPlan,
  unitsNamed,
} from "@anneal/engine/units";
import { castOf, concurrency, failed, RUNNING, runHere } from "../run/running.ts";
import { harmlessLine } from "../style.ts";
import { dryRun, type ReviewNote } from "./dry-run.ts";

/** `anneal unit run`. */
export async function runUnits(args: string[]): Promise<number> {
  const { values, positionals } = read(args);
  const standing = await callerLocation(process.cwd());
  const { root } = standing;
  await refuseOtherUnits(standing, positionals);
  const ids = await unitsNamed(standing, positionals);
  if (ids.length === 0) throw new UsageError("name the folders of units; anneal unit run specs/tasks runs all");
  const plan = await planUnits(root, ids);
  if (plan.problems.length > 0) return refuse(plan);
  const into = await target(root, values.into, ids);
  if (values.into !== undefined) await refuseOtherTarget(root, plan, values.into);
  await refuseBeginning(root, { into: into.branch, ids });
  const review = reviewNote(plan, values.reviewer);
  if (values["dry-run"]) {
    const refused = await refusedIn(root, plan);
    process.stdout.write(dryRun(plan, { into: into.branch, from: into.commit, review, refused, json: values.json }));
    return refused.length > 0 ? 2 : 0;
  }
  for (const note of [...plan.notes, ...(review.warning === null ? [] : [review.warning])]) {
    process.stderr.write(`anneal unit: ${harmlessLine(note)}\n`);
  }
  const { settings } = await loadSettings(root);
  const { agent, implementer = agent, fixer = agent, reviewer } = values;
  const result = await runHere({
    command: "unit",
    root,
    limit: values.concurrency === undefined ? settings.maxConcurrency : concurrency(values.concurrency),
    // Whoever does the tasks does not review them, unless somebody says so.
    cast: castOf({ implementer, fixer, reviewer }),
    overrides: { into: into.branch },
    only: plan.units.map(({ key }) => key),
    json: values.json,
    trust: values.trust,
    hint: null,
  });
  const red = await redMerges(root, result.settled.keys());
  if (!values.json) for (const line of red) process.stdout.write(`${line}\n`);
  return failed(result) || red.length > 0 ? 1 : 0;
}

function read(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      into: { type: "string" },
      concurrency: { type: "string" },
      ...RUNNING,
      "dry-run": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
}

/** Every mistake at its place; nothing is started. */
function refuse({ problems }: UnitsPlan): number {
  for (const problem of problems) process.stderr.write(`anneal unit: ${harmlessLine(problemText(problem))}\n`);
  return 2;
}

async function target(root: string, named: string | undefined, ids: readonly string[]) {
  const here = await openRepo(process.cwd());
  const branch = named ?? (await here.branchName());
  if (branch === null) throw new UsageError("no branch is checked out here: name the branch to merge into with --into");
  refuseOwnTarget(ids, branch);
  if (named === undefined && (await here.headCommit()) === null)
    throw new UsageError(`there is no commit on ${branch} yet: make a first commit that contains the units`);
  const repo = await openRepo(root);
  const commit = await repo.resolve(`refs/heads/${branch}`).catch((cause: unknown) => {
    throw new UsageError(`there is no branch ${branch} to merge into; create it with git branch ${branch}`, { cause });
  });
  return { branch, commit };
}

/** A unit that is under way stays with the branch that it began for. */
async function refuseOtherTarget(root: string, { units }: UnitsPlan, into: string): Promise<void> {
  using project = await openReader(root, systemClock);
  const { store } = project;
  if (store === null) return;
  for (const { key } of units) {
    const row = currentLoop(store, key);
    if (row === null || row.stage === "ended") continue;
    const { started } = historyOf(store, row);
    if (started.into === into) continue;
    throw new UsageError(
      `${key} already runs and merges into ${started.into ?? "no branch"}; end it first with anneal stop ${key}`,
    );
  }
}

async function refuseBeginning(root: string, units: Parameters<typeof refuseUnits>[1]): Promise<void> {
  using project = await openReader(root, systemClock);
  await refuseUnits(project, units);
}

/** Units in whose workspaces a person has uncommitted work. */
async function refusedIn(root: string, { units }: UnitsPlan): Promise<Refused[]> {
  using project = await openReader(root, systemClock);
  const open = units.filter(({ status }) => status !== "complete");
  return await refusedOf(
    project,
    open.map(({ key }) => key),
  );
}

function reviewNote({ review }: UnitsPlan, named: string | undefined): ReviewNote {
  if (!review.enabled) return { who: "nobody: code_review.enabled is false", warning: null };
  if (named !== undefined) return { who: named, warning: null };
  const { provider, missing } = review;
  if (missing === null) return { who: provider, warning: null };
  const warning = `the reviewer ${provider} is not available, so every review fails and units are merged without one; name another with --reviewer`;
  return { who: `${provider}, which is not available`, warning };
}

/** Merges whose tree fails its checks: the merge stands, and somebody has to look. */
async function redMerges(root: string, keys: Iterable<string>): Promise<string[]> {
  using project = await openReader(root, systemClock);
  const { store } = project;
  if (store === null) return [];
  return [...keys].flatMap((key) => {
    const row = currentLoop(store, key);
    const last = row === null ? undefined : historyOf(store, row).events.at(-1)?.event;
    if (last?.type !== "merged" || last.checks?.result !== "failed") return [];
    const [first] = last.checks.findings;
    return [`✘ the checks fail after the merge of ${key}: ${harmlessLine(first?.title || "no reason given")}`];
  });
}
