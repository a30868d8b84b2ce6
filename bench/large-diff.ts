import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { thousandFiles } from "./changes.ts";
import { cpuOf } from "./cpu.ts";
import type { Phases } from "./phases.ts";
import { git, makeRepository } from "./scratch.ts";
import { anneal } from "./startup.ts";
import type { Measure } from "./table.ts";

const MEMORY_LIMIT_MB = 500;

/** What a huge change costs: reading and naming against git's own diff, the rules by themselves, and the memory. */
export function largeDiff(dir: string, runs: number): { title: string; measures: Measure[] } {
  const repo = makeRepository(join(dir, "large"), thousandFiles());
  const [base = "", head = ""] = git(repo, "rev-parse", "main", "topic").trim().split("\n");
  const bare = { argv: ["git", "diff", base, head], cwd: repo } as const;
  const samples: Phases[] = [];
  let gitMs = 0;
  for (let run = 0; run < runs; run++) {
    gitMs += cpuOf({ bare }, 5).bare / runs;
    samples.push(phases(repo, base, head));
  }
  const mean = (pick: (sample: Phases) => number) => samples.reduce((sum, one) => sum + pick(one), 0) / runs;
  const baseline = { name: "git diff", value: gitMs };
  const title = `${samples[0]?.files} files, ${changedLines(repo, base, head)} changed lines, ${samples[0]?.findings} findings`;
  const measures: Measure[] = [
    { measure: "parse and fingerprint", ours: mean((s) => s.parse + s.fingerprint), baseline, unit: "ms", limit: 3 },
    { measure: "  parse", ours: mean((s) => s.parse), baseline, unit: "ms" },
    { measure: "  fingerprint", ours: mean((s) => s.fingerprint), baseline, unit: "ms" },
    { measure: "rules", ours: mean((s) => s.rules), baseline, unit: "ms" },
    { measure: "anneal review, peak memory", ours: peakMemoryMb(repo, dir), unit: "MB", limit: MEMORY_LIMIT_MB },
  ];
  return { title, measures };
}

function phases(repo: string, base: string, head: string): Phases {
  return JSON.parse(run([join(import.meta.dirname, "phases.ts"), repo, base, head], repo, {}, [0]));
}

function peakMemoryMb(repo: string, dir: string): number {
  const file = join(dir, "peak-memory");
  const hook = join(import.meta.dirname, "peak-memory.ts");
  run(["--import", hook, anneal, "review", "--format", "json"], repo, { PEAK_MEMORY_FILE: file }, [1]);
  return Number(readFileSync(file, "utf8")) / 1024;
}

function run(args: string[], cwd: string, env: Record<string, string>, exits: number[]): string {
  const options = { cwd, env: { ...process.env, ...env }, encoding: "utf8", maxBuffer: 2 ** 30 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, args, options);
  if (status === null || !exits.includes(status)) throw new Error(`${args.join(" ")} ended with ${status}: ${stderr}`);
  return stdout;
}

function changedLines(repo: string, base: string, head: string): number {
  const counts = git(repo, "diff", "--numstat", base, head).matchAll(/^(\d+)\t(\d+)\t/gm);
  return counts.reduce((sum, [, added, removed]) => sum + Number(added) + Number(removed), 0);
}
