import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { childrenCpuMs } from "../cpu.ts";
import { anneal } from "../startup.ts";
import { bareFeature, makeCopy } from "./needed-git.ts";
import { type Beside, makeProject } from "./project.ts";

/** What commands cost in a project, one number for each time that they ran. */
export interface Costs {
  runCpuMs: number[];
  showCpuMs: number[];
  gitProcesses: number[];
  watches: number[];
}

const NOTED = 3;

/** Runs feature after feature in projects that differ in what else they hold, in turn, and the bare git commands beside them. */
export async function commandCosts([dir = "", count = "1", waiting = "0", events = "0"]: string[]) {
  const features = 1 + NOTED + Number(count);
  const make = (name: string, beside?: Beside) => {
    const root = join(dir, name, "repo");
    return { root, loops: makeProject(root, features, beside), costs: noCosts() };
  };
  const empty = make("empty");
  const many = make("many", { waiting: Number(waiting) });
  const old = make("old", { events: Number(events) });
  const bare = make("bare");
  const projects = [empty, many, old];
  // The first feature makes the reviewer's copy and the log, and warms everything up.
  for (const { root } of projects) started(dir, root, ["run", "f0"]);
  await bareFeatureFirst(bare.root);
  const bareCpuMs: number[] = [];
  for (let n = 1; n < features; n += 1) {
    for (const { root, costs } of projects) {
      if (n <= NOTED) noted(dir, root, n, costs);
      else {
        costs.runCpuMs.push(started(dir, root, ["run", `f${n}`]));
        costs.showCpuMs.push(started(dir, root, ["show", `f${n}`]));
      }
    }
    const cpu = stopwatch();
    await bareFeature(bare.root, n);
    if (n > NOTED) bareCpuMs.push(cpu());
  }
  return { empty: empty.costs, many: many.costs, old: old.costs, loops: old.loops, bareCpuMs };
}

function noCosts(): Costs {
  return { runCpuMs: [], showCpuMs: [], gitProcesses: [], watches: [] };
}

async function bareFeatureFirst(root: string): Promise<void> {
  await makeCopy(root);
  await bareFeature(root, 0);
}

function noted(dir: string, root: string, n: number, { gitProcesses, watches }: Costs): void {
  const notes = join(dir, "notes");
  const preload = pathToFileURL(join(import.meta.dirname, "noting.ts")).href;
  const options = `--disable-warning=ExperimentalWarning --import ${preload}`;
  started(dir, root, ["run", `f${n}`], { NODE_OPTIONS: options, BENCH_NOTES: notes });
  const lines = readFileSync(notes, "utf8").split("\n");
  rmSync(notes);
  gitProcesses.push(lines.filter((line) => line === "start git").length);
  watches.push(lines.filter((line) => line.startsWith("watch ")).length);
}

/** Runs a command of the compiled CLI; gives its CPU with that of the programs that it starts. */
function started(dir: string, cwd: string, args: string[], more: Record<string, string> = {}): number {
  const before = childrenCpuMs();
  const env = { ...process.env, TMPDIR: dir, ...more };
  const { status, stderr } = spawnSync(process.execPath, [anneal, ...args], { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`anneal ${args.join(" ")} ended with ${status}: ${stderr}`);
  return childrenCpuMs() - before;
}

function stopwatch(): () => number {
  const [own, children] = [process.cpuUsage(), childrenCpuMs()];
  return () => {
    const { user, system } = process.cpuUsage(own);
    return (user + system) / 1_000 + childrenCpuMs() - children;
  };
}
