import { join } from "node:path";
import { parseArgs } from "node:util";
import { systemClock, UsageError } from "@anneal/engine";
import {
  type AutoResult,
  callerLocation,
  keyOf,
  loadSettings,
  openReader,
  projectAt,
  refuseOthers,
} from "@anneal/engine/project";
import { baseBranch, branchProblems, type NamedStories, namedStories, rememberStories } from "@anneal/engine/stories";
import { interruptible } from "../interruptible.ts";
import { answered, isAsking, questionsIn, tellQuestion } from "../project/ask.ts";
import { castOf, concurrency, failed, RUNNING, type RunHere, runHere } from "../run/running.ts";
import { dryRun } from "./dry-run.ts";
import { pathsOf, tellProblems } from "./files.ts";

/** `anneal story run`. */
export async function runStories(args: string[]): Promise<number> {
  const { values, positionals } = read(args);
  const repo = await projectAt(process.cwd());
  const { root } = repo;
  const standing = await callerLocation(process.cwd());
  const files = [...new Set(pathsOf(positionals, standing))];
  if (files.length === 0) throw new UsageError("name the files of stories: anneal story run docs/stories/2.1.md");
  await refuseOthers(standing, positionals);
  const named = await namedStories(root, files);
  if (named.problems.length > 0) {
    tellProblems(named);
    return 2;
  }
  await refuseOthers(
    standing,
    named.needed.map(({ file }) => join(standing.here, file)),
  );
  const { base, policy, json } = values;
  if (await tellTaken(root, named, base)) return 2;
  const loaded = await loadSettings(root);
  if (values["dry-run"]) {
    using reader = await openReader(root, systemClock);
    const terms = { settings: loaded.settings, policy, base, json };
    const { text, isRefused } = await interruptible((signal) => dryRun(named, reader, { ...terms, signal }));
    process.stdout.write(text);
    return isRefused ? 2 : 0;
  }
  if (!isTested(loaded)) process.stderr.write(`anneal story: ${UNTESTED}\n`);
  const limit = values.concurrency === undefined ? loaded.settings.maxConcurrency : concurrency(values.concurrency);
  await rememberStories(repo, [...named.stories, ...named.needed]);
  const overrides = { ...(base === undefined ? {} : { base }), ...(policy === undefined ? {} : { policy }) };
  const common = {
    command: "story",
    root,
    limit,
    cast: castOf(values),
    overrides,
    json,
    trust: values.trust,
    problems: loaded.problems,
    hint: null,
  };
  return failed(await runAndAsk(common, keysOf(named))) ? 1 : 0;
}

function read(args: string[]) {
  return parseArgs({
    args,
    allowPositionals: true,
    options: {
      base: { type: "string" },
      policy: { type: "string" },
      concurrency: { type: "string" },
      ...RUNNING,
      "dry-run": { type: "boolean", default: false },
      json: { type: "boolean", default: false },
    },
  });
}

/** Said before anything starts: a base that is not there, and branches that cannot be those of stories. */
async function tellTaken(root: string, { stories }: NamedStories, base: string | undefined): Promise<boolean> {
  using project = await openReader(root, systemClock);
  const { name } = await baseBranch(project, base);
  const problems = await branchProblems(project, stories, name);
  tellProblems({ problems });
  return problems.length > 0;
}

function keysOf({ stories }: NamedStories): string[] {
  return stories.map(({ story }) => keyOf({ kind: "story", id: story.id }));
}

const UNTESTED = "no testCommand is set in .automaker/settings.json, so nothing is tested before a commit";

function isTested({ global, project }: Awaited<ReturnType<typeof loadSettings>>): boolean {
  return (project.testCommand ?? global.testCommand) !== undefined;
}

/** Runs stories; on a terminal, whoever sits there is asked about those whose rounds are used up, and they go on. */
async function runAndAsk(common: Omit<RunHere, "only">, keys: readonly string[]): Promise<AutoResult> {
  const settled: AutoResult["settled"] = new Map();
  const unanswered = new Set<string>();
  let only = [...keys];
  let { problems = [] } = common;
  for (;;) {
    const result = await runHere({ ...common, problems, only });
    problems = [];
    for (const [key, state] of result.settled) settled.set(key, state);
    const open = questionsIn(result).filter(({ key }) => !unanswered.has(key));
    if (!isAsking(common.json)) {
      if (!common.json) for (const question of open) tellQuestion(question);
      return { ...result, settled };
    }
    const heard = await answered(common.root, open);
    for (const { key } of open) if (!heard.has(key)) unanswered.add(key);
    for (const [key, state] of heard) settled.set(key, state);
    if (heard.size === 0) return { ...result, settled };
    // What a person has taken over has ended; everything else may go on now, those that waited for it too.
    only = only.filter((key) => heard.get(key)?.stage !== "ended");
    if (only.length === 0) return { ...result, settled };
  }
}
