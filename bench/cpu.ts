import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A program to measure, as a person would start it. */
export interface Program {
  argv: readonly [string, ...string[]];
  cwd?: string;
  env?: Record<string, string>;
  /** Runs before each start, outside the measurement. */
  prepare?: () => void;
  /** Exit codes that count as having worked. */
  exits?: readonly number[];
}

const BLOCK = 5;

/** Mean CPU of one run in ms, children included. Programs take turns in blocks, so that noise hits all of them. */
export function cpuOf<Name extends string>(programs: Record<Name, Program>, runs: number): Record<Name, number> {
  const names = Object.keys(programs) as Name[];
  const spent = Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
  for (const name of names) start(programs[name]);
  for (let done = 0; done < runs; done += BLOCK) {
    for (const name of names) spent[name] += block(programs[name], Math.min(BLOCK, runs - done));
  }
  return Object.fromEntries(names.map((name) => [name, spent[name] / runs])) as Record<Name, number>;
}

function block(program: Program, runs: number): number {
  // One reading per block: the kernel shows ticks of 10 ms, and the error of a reading is spread over the runs.
  const before = childrenCpuMs();
  for (let run = 0; run < runs; run++) start(program);
  return childrenCpuMs() - before;
}

function start({ argv: [command, ...args], cwd, env, prepare, exits = [0] }: Program): void {
  prepare?.();
  const { status, stderr, error } = spawnSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "pipe"],
    encoding: "utf8",
  });
  if (status === null || !exits.includes(status)) {
    throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${error?.message ?? stderr}`);
  }
}

const TICKS_PER_SECOND = 100;

/** User and system time of all children that have ended, with their own children. */
export function childrenCpuMs(): number {
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The name of the program comes second, in brackets, and may hold anything; cutime and cstime are fields 16 and 17.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return ((Number(fields[13]) + Number(fields[14])) * 1_000) / TICKS_PER_SECOND;
}
