import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openRepo } from "@anneal/git";
import { systemClock } from "@anneal/system/clock";
import type { LoopEvent } from "@anneal/types";
import { workspacesOf } from "@anneal/workspace";
import { type LoopSummary, summaryOf } from "../../libs/engine/src/history/summary.ts";
import { openBlobs, openStore } from "../../libs/engine/src/log/index.ts";
import { collectGarbage } from "../../libs/engine/src/project/gc.ts";
import { endlessLoop, POLICY } from "../long-loop.ts";
import { git } from "../scratch.ts";

/** A workspace or a work tree made: its time, and what it takes on the disk beyond the repository. */
interface Made {
  ms: number;
  bytes: number;
}

const PER_FOLDER = 100;
const ROUNDS = 3;

/** Makes workspaces of a large repository and, in turn, linked work trees. */
export async function prepared([dir = "", files = "0", count = "1"]: string[]): Promise<{
  ours: Made[];
  bare: Made[];
}> {
  const root = makeRepository(dir, Number(files));
  const repo = await openRepo(root);
  const workspaces = workspacesOf(repo);
  const ours: Made[] = [];
  const bare: Made[] = [];
  for (let n = 0; n < Number(count); n += 1) {
    git(root, "branch", `ours-${n}`);
    const path = workspaces.pathOf(`ours-${n}`);
    ours.push(
      await made(root, path, () => workspaces.prepare({ name: `ours-${n}`, branch: `ours-${n}`, isOurs: true })),
    );
    const tree = join(dir, `bare-${n}`);
    bare.push(
      await made(root, tree, async () => void git(root, "worktree", "add", "--quiet", "-b", `bare-${n}`, tree)),
    );
    git(root, "worktree", "remove", "--force", tree);
    await workspaces.remove(`ours-${n}`);
  }
  return { ours, bare };
}

async function made(root: string, path: string, make: () => Promise<unknown>): Promise<Made> {
  const before = sizeOf([root]);
  const began = performance.now();
  await make();
  const ms = performance.now() - began;
  return { ms, bytes: sizeOf([root, path]) - before };
}

/** What hard links share counts once. */
function sizeOf(paths: string[]): number {
  const { stdout } = spawnSync("du", ["--summarize", "--total", "--block-size=1", ...paths], { encoding: "utf8" });
  return Number(stdout.trim().split("\n").at(-1)?.split("\t")[0]);
}

/** Garbage collection of the workspaces of ended loops, and the same number of them removed by hand. */
export async function collected([dir = "", count = "1"]: string[]): Promise<{ oursMs: number; bareMs: number }> {
  const root = makeRepository(dir, 20);
  const repo = await openRepo(root);
  const workspaces = workspacesOf(repo);
  const names = Array.from({ length: Number(count) }, (_, n) => `f${n}`);
  const makeAll = async () => {
    for (const name of names) await workspaces.prepare({ name, branch: name, isOurs: true });
  };
  for (const name of names) git(root, "branch", name);
  const paths = names.map((name) => workspaces.pathOf(name));
  endLoops(repo, names);
  const ours: number[] = [];
  const bare: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    await makeAll();
    const byHand = performance.now();
    spawnSync("rm", ["-rf", ...paths]);
    bare.push(performance.now() - byHand);
    await makeAll();
    const began = performance.now();
    const done = await collectGarbage(repo, { clock: systemClock, dryRun: false });
    ours.push(performance.now() - began);
    if (done?.workspaces.length !== names.length) throw new Error(`gc removed ${done?.workspaces.length} workspaces`);
  }
  // The fastest of each: what makes a round slower is somebody else.
  return { oursMs: Math.min(...ours), bareMs: Math.min(...bare) };
}

function endLoops(repo: { gitDir: string }, ids: readonly string[]): void {
  const store = openStore<LoopEvent, LoopSummary>(repo, { clock: systemClock });
  const blobs = openBlobs(repo, { clock: systemClock });
  for (const id of ids) {
    const { event, after } = endlessLoop(id, blobs).next().value;
    const about = { title: id, branch: id, policy: POLICY };
    const entry = { event, stage: "ended" as const, summary: summaryOf(about, after, { costUsd: 0, tokens: 0 }) };
    store.append(`${id}~1`, [entry], { of: { kind: "feature", item: id } });
  }
  store.close();
}

function makeRepository(dir: string, files: number): string {
  const root = join(dir, "repo");
  mkdirSync(root, { recursive: true });
  git(root, "init", "--quiet", "--initial-branch=main");
  for (let n = 0; n < files; n += 1) {
    const folder = join(root, `folder-${Math.floor(n / PER_FOLDER)}`);
    if (n % PER_FOLDER === 0) mkdirSync(folder);
    writeFileSync(join(folder, `file-${n}.ts`), `export const number${n} = ${n};\n`.repeat(20));
  }
  git(root, "add", "--all");
  git(root, "commit", "--quiet", "--message", "first");
  // Packed, as most objects of a real clone are.
  git(root, "gc", "--quiet");
  rmSync(join(root, ".git", "hooks"), { recursive: true, force: true });
  return root;
}
