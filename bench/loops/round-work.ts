import { subscribe } from "node:diagnostics_channel";
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "@anneal/engine/project";
import { systemClock } from "@anneal/system/clock";
import { decisionText } from "../../libs/engine/src/review/testing/decision-text.ts";
import { childrenCpuMs } from "../cpu.ts";
import { git } from "../scratch.ts";
import { bareRound, type Tree } from "./needed-git.ts";

/** A round, or the mean of some: its time, and its CPU with that of the git processes, in ms. */
interface Sample {
  ms: number;
  cpuMs: number;
  gitProcesses: number;
}

const FILES = 10_000;
const FOLDERS = 100;
const ROUNDS_OF_A_FEATURE = 3;
const SETTLE_MS = 1_100;
const EDITED = ["folder-1/file-1.ts", "folder-50/file-2.ts", "src/total.ts"];

/**
 * Plays features in a large repository, and in turn the bare commands for as many rounds, each from a new worktree on; agents take no
 * time at all. A sample is the mean of a feature's rounds: they are not alike, and the kernel counts the CPU of children in ticks of 10 ms.
 */
export async function rounds([dir = "", count = "1"]: string[]) {
  const root = makeProject(dir, Number(count) + 1);
  const review = addTree(root, "bare-review", ["--detach"]);
  const ours: Sample[] = [];
  const baseline: Sample[] = [];
  const revisionMs: number[] = [];
  for (let feature = 0; feature <= Number(count); feature += 1) {
    const played = await playFeature(root, `f${feature}`);
    const bare = makeBare(root, `bare-${feature}`, review);
    const bareRounds: Sample[] = [];
    for (let round = 0; round < ROUNDS_OF_A_FEATURE; round += 1) bareRounds.push(await bare());
    // The first feature makes the reviewer's worktree and warms everything up.
    if (feature === 0) continue;
    ours.push(mean(played.rounds));
    baseline.push(mean(bareRounds));
    revisionMs.push(...played.revisionMs);
  }
  return { ours, baseline, revisionMs, files: FILES };
}

/** Runs a feature that is rejected twice and then approved. */
async function playFeature(root: string, id: string): Promise<{ rounds: Sample[]; revisionMs: number[] }> {
  const rounds: Sample[] = [];
  const revisionMs: number[] = [];
  let began: ReturnType<typeof stopwatch> | null = null;
  let failedAt: number | null = null;
  const settled = await run({
    root,
    clock: systemClock,
    cast: players(root, id),
    only: [id],
    limit: 1,
    by: "bench",
    signal: new AbortController().signal,
    onOtherOwner: () => {},
    onTrouble: (item, message) => process.stderr.write(`${item}: ${message}\n`),
    onEvent: ({ event }) => {
      trace(`# ${event.type}`);
      if (event.type === "loop-started") untilSettled();
      const starts = event.type === "intended" && (event.stage === "implementing" || event.stage === "fixing");
      if (starts) began = stopwatch();
      // The fixer was called before this; what it left is counted in, so the truth is even less.
      if (event.type === "fixed" && failedAt !== null) revisionMs.push(performance.now() - failedAt);
      if (event.type !== "reviewed" || began === null) return;
      rounds.push(began());
      failedAt = performance.now();
    },
  });
  const outcome = settled.settled.get(id);
  if (outcome?.stage !== "ended" || rounds.length !== ROUNDS_OF_A_FEATURE) {
    throw new Error(`${id} should have passed in round 3: ${JSON.stringify(outcome ?? [...settled.broken])}`);
  }
  return { rounds, revisionMs };
}

function makeBare(root: string, name: string, review: Tree): () => Promise<Sample> {
  const work = addTree(root, name, ["-b", name]);
  let head = git(root, "rev-parse", name).trim();
  let turn = 0;
  untilSettled();
  return async () => {
    turn += 1;
    const ended = stopwatch();
    const agent = () => {
      for (const file of EDITED) write(join(work.root, file), contentOf(file, `${name} ${turn}`));
    };
    head = await bareRound({ work, review, branch: `refs/heads/${name}`, head, agent });
    return ended();
  };
}

function addTree(root: string, name: string, how: string[]): Tree {
  const path = join(`${root}.anneal`, name);
  git(root, "worktree", "add", "--quiet", ...how, path);
  return { root: path, gitDir: git(path, "rev-parse", "--absolute-git-dir").trim() };
}

/**
 * Git reads all files again that are as young as its index, to the second. How often that happens to a worktree which was just made
 * would hang on the moment; after this it is once.
 */
function untilSettled(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SETTLE_MS);
}

function mean(samples: readonly Sample[]): Sample {
  const of = (pick: keyof Sample) => samples.reduce((sum, one) => sum + one[pick], 0) / samples.length;
  return { ms: of("ms"), cpuMs: of("cpuMs"), gitProcesses: of("gitProcesses") };
}

let gitProcesses = 0;
subscribe("child_process", (message) => {
  gitProcesses += 1;
  if (process.env.BENCH_TRACE) process.nextTick(() => trace(JSON.stringify(commandOf(message))));
});

/** Known only after the message: it comes before the process is started. */
function commandOf(message: unknown): unknown {
  const { process: child } = message as { process?: { spawnargs?: unknown } };
  return child?.spawnargs;
}

/** With BENCH_TRACE=FILE, what a round really runs is written there. */
function trace(line: string): void {
  if (process.env.BENCH_TRACE) appendFileSync(process.env.BENCH_TRACE, `${line}\n`);
}

function stopwatch(): () => Sample {
  const before = { ms: performance.now(), own: process.cpuUsage(), children: childrenCpuMs(), gitProcesses };
  return () => {
    const { user, system } = process.cpuUsage(before.own);
    return {
      ms: performance.now() - before.ms,
      cpuMs: (user + system) / 1_000 + childrenCpuMs() - before.children,
      gitProcesses: gitProcesses - before.gitProcesses,
    };
  };
}

function makeProject(root: string, features: number): string {
  mkdirSync(root);
  git(root, "init", "--quiet", "--initial-branch=main");
  git(root, "config", "user.name", "Robin Example");
  git(root, "config", "user.email", "robin@example.com");
  git(root, "config", "gc.auto", "0");
  for (let n = 0; n < FILES; n += 1) {
    const file = `folder-${n % FOLDERS}/file-${Math.floor(n / FOLDERS)}.ts`;
    write(join(root, file), contentOf(file, "first").repeat(10));
  }
  write(join(root, ".gitignore"), ".automaker/\n.worktrees/\n");
  write(join(root, "src/total.ts"), contentOf("src/total.ts", "first"));
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "first");
  git(root, "gc", "--quiet");
  for (let n = 0; n < features; n += 1) {
    const feature = { id: `f${n}`, title: `Add ${n}`, description: "Adds the total.", status: "backlog" };
    write(join(root, `.automaker/features/f${n}/feature.json`), JSON.stringify(feature));
    write(scriptOf(root, `f${n}`), JSON.stringify({ name: "instant", steps: script(`f${n}`) }));
  }
  return root;
}

function script(id: string): object[] {
  const issue =
    "- **[CODE]** - error: The total is wrong\n  - Description: no sum\n  - File: src/total.ts\n  - Line: 1";
  const edits = (turn: number) => EDITED.map((path) => ({ path, content: contentOf(path, `${id} ${turn}`) }));
  return [
    { role: "implementer", answer: "Done.", edits: edits(1) },
    { role: "reviewer", answer: decisionText("REJECTED", issue) },
    { role: "fixer", answer: "Fixed.", edits: edits(2) },
    { role: "reviewer", answer: decisionText("REJECTED", issue) },
    { role: "fixer", answer: "Fixed again.", edits: edits(3) },
    { role: "reviewer", answer: decisionText("APPROVED", "None") },
  ];
}

function players(root: string, id: string) {
  const player = `scripted:${scriptOf(root, id)}`;
  return { implementer: player, reviewer: player, fixer: player };
}

function scriptOf(root: string, id: string): string {
  return join(root, ".automaker", `${id}.script`);
}

function contentOf(file: string, what: string): string {
  return `export const value = "${what}"; // ${file}\n`;
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}
