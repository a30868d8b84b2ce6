import {
  addTotals,
  type Baseline,
  baselineCheckouts,
  baselineFiles,
  type ChecksResult,
  runChecks,
} from "@anneal/adapters/checks";
import type { Repo } from "@anneal/git";
import type { Finding } from "@anneal/types";
import type { Workspaces } from "@anneal/workspace";
import { refuseSetup } from "../consent/consent.ts";
import { Misconfigured } from "../errors/errors.ts";
import { logFolderOf } from "../log/index.ts";
import { NO_CHECKS, type RunChecks } from "./loop-work.ts";

/** The part of the settings that says how a project is checked. */
export interface CheckSettings {
  testCommand?: string | string[] | undefined;
  testTimeoutMs?: number | undefined;
  worktree?: { setup?: string[] | undefined; copy?: string[] | undefined } | undefined;
}

export const TEST_TIMEOUT_MS = 20 * 60_000;

/**
 * The project's own test command as the checks of a loop; a project without one has none.
 * With a baseline, by default the base of the loop, what was red before the change is not blamed on it.
 */
export function projectChecks(
  repo: Repo,
  settings: CheckSettings,
  before?: BaselineContext & { base?: string },
): RunChecks {
  const { testCommand: command, testTimeoutMs: timeoutMs = TEST_TIMEOUT_MS } = settings;
  if (command === undefined) return NO_CHECKS;
  return async (signal, state) => {
    // A person may have merged the base since the loop began.
    const baseline =
      before === undefined ? {} : { baseline: baselineOf({ ...before, base: before.base ?? state.base }, settings) };
    const checked = await runChecks({ worktree: repo, command, timeoutMs, signal, ...baseline });
    refuseUnusable(checked, command);
    const passed = checked.result === "passed" || checked.result === "flaky";
    const tests = testsOf([checked]);
    if (passed) return { result: "passed", findings: [], ...tests };
    return { result: "failed", findings: blamedOn(command, checked), ...tests };
  };
}

/** What all commands together said of their tests. */
export function testsOf(checked: readonly ChecksResult[]): Pick<Awaited<ReturnType<RunChecks>>, "tests"> {
  const totals = checked.flatMap((one) => one.totals ?? []);
  if (totals.length === 0) return {};
  return { tests: { totals: totals.reduce(addTotals), preexisting: checked.flatMap((one) => one.preexisting) } };
}

/** A command that could never be run says nothing about the change: nobody is sent to fix that in the code. */
export function refuseUnusable({ result, note, output }: ChecksResult, command: string | string[]): void {
  if (result !== "unusable") return;
  const last = output.trim().split("\n").at(-1) ?? "";
  const said = last === "" ? "" : ` (${last})`;
  const ways = "correct .automaker/settings.json or install what is missing, then retry";
  throw new Misconfigured("testCommand", `testCommand is \`${lineOf(command)}\`, and ${note}${said}; ${ways}`);
}

/** Where baselines are kept, and made. */
interface BaselineContext {
  main: Repo;
  workspaces: Workspaces;
}

export function baselineOf(
  { main, workspaces, base }: BaselineContext & { base: string },
  { worktree }: CheckSettings,
): Baseline {
  const lines = worktree?.setup ?? [];
  const setup = { setup: lines, copy: worktree?.copy ?? [], first: refuseSetup(main, lines), sandbox: "auto" as const };
  const store = baselineFiles(logFolderOf(main).blobs);
  return { commit: base, store, checkout: baselineCheckouts(workspaces, setup) };
}

/** One finding for each test that the change broke; one for the whole command where no test has a name. */
export function blamedOn(
  command: string | string[],
  { result, blamed, preexisting, output, note }: ChecksResult,
): Finding[] {
  const line = lineOf(command);
  const said = [note, output.trim().split("\n").slice(-30).join("\n")].filter(Boolean).join("\n\n");
  const common = { rule: "project-check", category: "testing", severity: "high", description: said } as const;
  if (blamed.length === 0)
    return [{ ...common, title: `\`${line}\` ${result === "timed-out" ? "takes too long" : "fails"}` }];
  return blamed.map((name) => {
    const others = `More tests named "${name}" fail than before the change`;
    return { ...common, title: preexisting.includes(name) ? others : `The test "${name}" fails and did not before` };
  });
}

function lineOf(command: string | string[]): string {
  return typeof command === "string" ? command : command.join(" ");
}
