import { createHash } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomic } from "@anneal/system/files/atomic";
import { serialise } from "@anneal/system/files/serialise";
import type { Argv } from "@anneal/system/programs/command";
import { type CheckRun, type CheckRunOptions, type CheckTree, checkOnce, stoppedOf, together } from "./check-run.ts";

/** The commit before the change, and a clean tree of it to run the checks in. */
export interface Baseline {
  commit: string;
  store: BaselineStore;
  checkout(commit: string, signal?: AbortSignal): Promise<CheckTree & { release(): Promise<void> }>;
}

/** Remembers what the checks came to on a commit, since that does not change. */
export interface BaselineStore {
  read(key: string): Promise<CheckRun | null>;
  write(key: string, run: CheckRun): Promise<void>;
}

/** What the checks come to without the change: from the store, or from a run, repeated where it is red. */
export function baselineRun(baseline: Baseline, argv: Argv, settings: CheckRunOptions): Promise<CheckRun> {
  const key = baselineKey(baseline.commit, argv);
  // One at a time on a commit: all its commands share one worktree.
  return serialise(`baseline ${baseline.commit}`, async () => {
    const known = await baseline.store.read(key);
    if (known !== null) return known;
    const tree = await baseline.checkout(baseline.commit, settings.signal);
    try {
      const first = await checkOnce(argv, tree, settings);
      // A flaky test that happened to fail here must not excuse a change that breaks it.
      const run = plain(isRed(first) ? together(first, await checkOnce(argv, tree, settings)) : first);
      if (typeof run.status === "number") await baseline.store.write(key, run);
      return run;
    } finally {
      // A tree that cannot be removed costs disk space; without the result every failure would be blamed on the change.
      await tree.release().catch(() => {});
    }
  });
}

function isRed({ status }: CheckRun): boolean {
  return typeof status === "number" && status !== 0;
}

/** Without the output, which is not worth keeping. */
function plain({ status, failing, account, stopped, outsideTests, flaky, skipped }: CheckRun): CheckRun {
  const early = stoppedOf({ stopped });
  return { status, failing, account, ...early, outsideTests, flaky, ...(skipped === undefined ? {} : { skipped }) };
}

/** Goes up whenever names or accounts are read differently: what was kept before is found no more, and run again. */
const NAMES_VERSION = 4;

function baselineKey(commit: string, argv: Argv): string {
  return createHash("sha256")
    .update(JSON.stringify([NAMES_VERSION, commit, ...argv]))
    .digest("hex");
}

/** Keeps each result in a small file of its own. A damaged file counts as none. */
export function baselineFiles(folder: string): BaselineStore {
  const file = (key: string) => join(folder, `baseline-${key}.json`);
  return {
    async read(key) {
      try {
        const found: unknown = JSON.parse(await readFile(file(key), "utf8"));
        return isCheckRun(found) ? found : null;
      } catch {
        return null;
      }
    },
    async write(key, run) {
      await mkdir(folder, { recursive: true });
      await writeAtomic(file(key), `${JSON.stringify(run)}\n`);
    },
  };
}

function isCheckRun(value: unknown): value is CheckRun {
  if (typeof value !== "object" || value === null) return false;
  const {
    status,
    failing,
    account,
    outsideTests,
    flaky,
    skipped = 0,
    stopped = "",
  } = value as Partial<Record<keyof CheckRun, unknown>>;
  const known = ["complete", "partial", "unknown"].some((one) => one === account);
  const named = [failing, outsideTests, flaky].every(areNames);
  return typeof status === "number" && typeof skipped === "number" && typeof stopped === "string" && known && named;
}

function areNames(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
