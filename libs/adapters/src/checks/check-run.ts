import { type Argv, type CommandResult, runCommand } from "@anneal/system/programs/command";
import type { TestTotals } from "@anneal/types";
import { type FailingTests, failingTests } from "./failing-tests.ts";
import { failuresOutsideTests } from "./failures-outside-tests.ts";
import { inBoth, moreOften } from "./name-counts.ts";
import { testTotals } from "./test-totals.ts";

/** How checks are run, in the change's workspace and on the base alike. */
export interface CheckRunOptions {
  timeoutMs: number;
  silenceMs?: number;
  signal?: AbortSignal;
  onOutput?: (text: string) => void;
  /** `auto` by default: tests run what agents wrote. */
  sandbox?: "auto" | "off";
  network?: "allowed" | "none";
}

/** A tree to run checks in. */
export interface CheckTree {
  root: string;
}

/** What one run of the checks came to, as plain data. */
export interface CheckRun {
  status: CommandResult["status"];
  /** A name is there as often as tests of that name failed: runners do not tell all of them apart. */
  failing: string[];
  account: FailingTests["account"];
  stopped?: FailingTests["stopped"];
  /** Lines that tell of failures outside of what the test runners printed. */
  outsideTests: string[];
  /** Tests of this run that passed or failed without a reason in the code. */
  flaky: string[];
  /** How many tests were there and not run, where the output tells. */
  skipped?: number;
}

export type ObservedRun = CheckRun &
  Pick<CommandResult, "output" | "sandboxed" | "notSandboxed"> & { totals: TestTotals | null };

const KEPT_CHARS = 8_000_000;

/** Runs the command once. A person's stop is thrown, since it says nothing about the change. */
export async function checkOnce(argv: Argv, tree: CheckTree, settings: CheckRunOptions): Promise<ObservedRun> {
  const { onOutput, sandbox = "auto", ...limits } = settings;
  const result = await runCommand(argv, {
    ...limits,
    cwd: tree.root,
    // Runners colour their words, wait for keys and watch files where they take us for a person.
    // Python keeps what tests print until it ends, where it would stand behind the tests as another program's words.
    env: { CI: "true", NO_COLOR: "1", FORCE_COLOR: "0", PYTHONUNBUFFERED: "1", ...pytestOptions(argv) },
    keepChars: KEPT_CHARS,
    sandbox,
    ...(onOutput ? { onOutput } : {}),
  });
  settings.signal?.throwIfAborted();
  const found = failingTests(result.output, tree.root);
  const account = found.account === "complete" && result.kept === "end" ? "partial" : found.account;
  const { status, output, sandboxed, notSandboxed } = result;
  const said = notSandboxed === undefined ? { sandboxed } : { sandboxed, notSandboxed };
  const totals = testTotals(output);
  const skipped = totals === null ? {} : { skipped: totals.skipped };
  const failures = {
    failing: found.names,
    account,
    ...stoppedOf(found),
    outsideTests: failuresOutsideTests(output, tree.root),
  };
  return { status, output, ...failures, flaky: [], ...skipped, totals, ...said };
}

/**
 * Only with names can it be seen that a test that was red still runs; twice, since `-q` takes one back.
 * A file that cannot be collected would keep all others from being run.
 */
function pytestOptions(argv: Argv): { PYTEST_ADDOPTS?: string } {
  const isPytest = argv.some((word) => /(?:^|[\s/;&|(])(?:pytest|py\.test)(?:[\s;&|)]|$)/.test(word));
  return isPytest ? { PYTEST_ADDOPTS: "-vv --continue-on-collection-errors" } : {};
}

/** Two runs of the same code as one: only what failed both times fails, the rest is flaky. */
export function together(first: CheckRun, again: CheckRun): CheckRun {
  // A red run that names none of them may hide any of them.
  const silent = again.failing.length === 0 && first.failing.length > 0;
  const outsideTests = inBoth(first.outsideTests, again.outsideTests);
  const stopped = stoppedOf(again.stopped === undefined ? first : again);
  if (again.status !== 0 && silent)
    return { ...again, failing: first.failing, account: "partial", ...stopped, outsideTests };
  const account = first.account === again.account ? first.account : "partial";
  const once = [...moreOften(first.failing, again.failing), ...moreOften(again.failing, first.failing)];
  const skipped = again.skipped === undefined ? {} : { skipped: again.skipped };
  const failing = inBoth(first.failing, again.failing);
  return { status: again.status, failing, account, ...stopped, outsideTests, flaky: once.sort(), ...skipped };
}

export function stoppedOf({ stopped }: Pick<CheckRun, "stopped">): Pick<CheckRun, "stopped"> {
  return stopped === undefined ? {} : { stopped };
}
