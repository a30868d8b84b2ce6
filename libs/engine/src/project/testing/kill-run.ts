import { spawn } from "node:child_process";
import { basename, join } from "node:path";
import type { TestRepo } from "../../../../git/src/testing/make-repo.ts";
import { program } from "../../../../system/src/testing/program.ts";
import { openStore } from "../../log/index.ts";

const CHILD = program("kill-child");

/** A way through the product that is killed at each of its effects. */
export interface Flow {
  name: string;
  key: string;
  branch: string;
  commits: number;
  /** The policy that the run names; without it the item's own. */
  policy?: string;
  /** The process that goes this way, if it is more than a run of the item. */
  child?: string;
  /** How it ends, if not by passing. */
  ends?: string;
  /** The failpoints that only this flow has; without it, all that it meets. */
  only?: RegExp;
  /** Further points. */
  also?: { name: string; passing: number }[];
  project(): TestRepo;
  /** What has to be the same besides commits and log. */
  leaves(repo: TestRepo): object;
}

/** Runs the item in a process of its own; how it ended, and what it printed. */
export function run(
  repo: TestRepo,
  { key, policy = "", child: way = CHILD }: Flow,
  env: Record<string, string> = {},
): Promise<{ signal: string | null; out: string }> {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const script = `scripted:${join(repo.dir, "script.json")}`;
  const child = spawn(process.execPath, [way, repo.dir, script, key, policy], {
    env: { PATH, HOME: repo.dir, GIT_CONFIG_GLOBAL: "/dev/null", NODE_COMPILE_CACHE, ANNEAL_TRUST: "all", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  child.stdout.on("data", (chunk) => (out += chunk));
  child.stderr.on("data", (chunk) => (out += chunk));
  return new Promise((resolve) => child.on("close", (_code, signal) => resolve({ signal, out: out.trim() })));
}

/** Everything that must not depend on where the process died: commits, files, and the log without its attempts. */
export function result({ key, branch, leaves }: Flow, repo: TestRepo) {
  const found = {
    commits: repo.git("log", "--format=%H %T %s", branch),
    ...leaves(repo),
    log: logOf(repo, `${key}~1`),
  };
  return JSON.parse(
    JSON.stringify(found).replaceAll(repo.dir, "ROOT").replaceAll(basename(repo.dir), "ROOT"),
  ) as typeof found;
}

export function logOf(repo: TestRepo, loop: string) {
  const store = openStore(repo, { clock: { now: () => 0 } });
  const log = [...store.events(loop)].map(({ event, stage }) => ({ event, stage }));
  store.close();
  return log.filter(({ event }) => event.type !== "intended" && event.type !== "abandoned");
}
