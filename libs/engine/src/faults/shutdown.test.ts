import type { ChildProcess } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { beforeAll, describe, expect, test } from "vitest";
import { heldClock, runHere } from "./testing/in-process.ts";
import { leftovers, processesOf } from "./testing/leftovers.ts";
import { approve, idle, type Load, makeLoad, writes } from "./testing/load.ts";
import { type Outcome, outcomeOf, tellings } from "./testing/outcome.ts";
import { killGroup, type Running, type StartOptions, watched } from "./testing/process.ts";

const steps = [writes("a.js", "1\n"), approve, idle];
const FEATURES = { agent: { steps }, check: { steps, dependencies: ["quick"] }, quick: { steps } };
/** Hang where a file says so that comes with the set-up: a loop keeps the command that it began with. */
const CHECKS = [
  "sh",
  "-c",
  'test ! -e .automaker/hang || case "$PWD" in */check) : > installed; exec tail -f /dev/null;; esac',
];
const project = () => makeLoad(FEATURES, { testCommand: CHECKS, worktree: { copy: [".automaker/hang"] } });

let calm: Outcome;
beforeAll(async () => {
  using load = project();
  const { broken, troubles } = await runHere(load);
  expect({ broken, troubles }).toEqual({ broken: [], troubles: [] });
  calm = outcomeOf(load);
}, 120_000);

describe("a process that is asked to stop", () => {
  test("SIGINT ends the agent and the checks at work, records that and exits 130; the next run goes on", async () => {
    using load = project();
    hangIn(load);
    const { child, ended } = anneal(load);
    await until(child, () => existsSync(atWork(load, "agent")) && existsSync(atWork(load, "check")));
    child.kill("SIGINT");
    const { code, signal, stderr } = await ended;
    expect({ code, signal, stderr }).toEqual({ code: 130, signal: null, stderr: "anneal run: stopped\n" });
    expect(processesOf(load.home)).toEqual([]);
    const last = (loop: string) => tellings(load).findLast((line) => line.loop === loop)?.type;
    expect([last("agent~1"), last("check~1")]).toEqual(["abandoned", "abandoned"]);
    expect(leftovers(load)).toEqual([]);

    goOnIn(load);
    await expectCalmEnd(load);
  });

  test("a second SIGINT ends it at once, though a git is stuck, and the next run goes on", async () => {
    using load = project();
    const { child, ended } = anneal(load, { env: stuckGit(load) });
    await until(child, () => existsSync(join(load.home, "stuck")));
    child.kill("SIGINT");
    // Once it has heard the first one, the next has its usual meaning again.
    await until(child, () => !catchesInterrupts(child.pid));
    child.kill("SIGINT");
    const { code, signal } = await ended;
    expect({ code, signal }).toEqual({ code: null, signal: "SIGINT" });
    killGroup(child);
    await expectCalmEnd(load);
  });

  test("stopped by SIGTERM again and again under load, it ends like a calm run", async () => {
    using load = project();
    for (const events of [5, 12]) {
      let seen = 0;
      const { code, signal, stderr } = await anneal(load, {
        onLine: ({ type }, child) => {
          // A second one would end it at once.
          if (type?.startsWith("loop:") && ++seen === events) child.kill("SIGTERM");
        },
      }).ended;
      expect({ code, signal, stderr }).toEqual({ code: 130, signal: null, stderr: "anneal run: stopped\n" });
      expect(leftAfterStop(load)).toEqual([]);
    }
    await expectCalmEnd(load);
  });
});

test("a command that outlives its killed process is ended by the next run, before its work tree is used again", async () => {
  const setup = "sh -c 'test -e ../go || { touch installed; exec sleep 3600; }'";
  using load = makeLoad({ quick: { steps } }, { testCommand: undefined, worktree: { setup: [setup] } });
  const { child, ended } = anneal(load);
  await until(child, () => existsSync(atWork(load, "quick")));
  killGroup(child);
  await ended;
  expect(processesOf(load.home)).toEqual([expect.stringContaining("sleep 3600")]);
  writeFileSync(`${load.dir}.anneal/go`, "");
  expect(await anneal(load).ended).toMatchObject({ code: 0, stderr: "" });
  expect([load.feature("quick").status, leftovers(load)]).toEqual(["verified", []]);
});

/** Runs it once more, undisturbed. */
async function expectCalmEnd(load: Load): Promise<void> {
  const { code, stderr } = await anneal(load).ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(outcomeOf(load)).toEqual(calm);
  expect(leftovers(load)).toEqual([]);
}

/** Git that is asked to end between making its lock and noting it leaves it there; the next git that needs it clears it. */
function leftAfterStop(load: Load): string[] {
  return leftovers(load).filter((line) => !/^stray \.\.\/[^/]+\.anneal\/[^/]+\/\.git\/index\.lock$/.test(line));
}

/** The command line tool from its source, on the clock of the calm run. */
function annealArgv(): [string, ...string[]] {
  const main = new URL("../../../../apps/cli/src/main.ts", import.meta.url).href;
  const code = `Date.now = () => ${heldClock.now()}; process.exitCode = await (await import("${main}")).main(process.argv.slice(1))`;
  return [process.execPath, "--input-type=module", "-e", code, "run", "--all", "--json"];
}

function anneal(load: Load, options: Pick<StartOptions, "env" | "onLine"> = {}): Running {
  return watched(annealArgv(), { load, ...options });
}

const atWork = (load: Load, id: string) => join(`${load.dir}.anneal`, id, "installed");

/** Lets the agent of one feature and the checks of all others hang, once they have said so by a file that git ignores. */
function hangIn(load: Load): void {
  const hanging = [{ role: "implementer", edits: [{ path: "installed", content: "" }], end: "hang" }];
  const script = { name: "scripted", model: "m-1", steps: hanging };
  writeFileSync(load.at("scripts/agent.json"), JSON.stringify(script));
  writeFileSync(load.at("hang"), "");
}

function goOnIn(load: Load): void {
  writeFileSync(load.at("scripts/agent.json"), JSON.stringify({ name: "scripted", model: "m-1", steps }));
  for (const file of [load.at("hang"), join(`${load.dir}.anneal`, "check/.automaker/hang")]) rmSync(file);
}

/** A git that hangs where it writes a tree, which no stop can interrupt. */
function stuckGit({ home }: Load): Record<string, string> {
  const bin = join(home, "bin");
  mkdirSync(bin);
  const lines = [
    "#!/bin/sh",
    `case " $* " in *" write-tree "*) : > "${home}/stuck"; exec tail -f /dev/null;; esac`,
    `PATH="${process.env.PATH}"; exec git "$@"`,
  ];
  writeFileSync(join(bin, "git"), `${lines.join("\n")}\n`);
  chmodSync(join(bin, "git"), 0o755);
  return { PATH: `${bin}:${process.env.PATH}` };
}

function catchesInterrupts(pid = 0): boolean {
  const caught = /^SigCgt:\s*([0-9a-f]+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${caught}`) & 2n) !== 0n;
}

async function until(child: ChildProcess, holds: () => boolean): Promise<void> {
  while (!holds()) {
    expect([child.exitCode, child.signalCode]).toEqual([null, null]);
    await delay(10);
  }
}
