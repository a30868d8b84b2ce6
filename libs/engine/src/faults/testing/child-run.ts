import { writeSync } from "node:fs";
import { systemClock } from "@anneal/system/clock";
import type { RunArgs } from "../../project/run.ts";
import type { AutoResult } from "../../project.ts";

/** What a process of these tests runs with: a clock that stands still, and every event printed on a line of its own. */
export function runArgs(root: string): Omit<RunArgs, "limit"> {
  killsItsGroup();
  const stop = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());
  return {
    root,
    // Later than any start of a process, so that whoever compares the two sees a clock that goes on.
    clock: { now: () => 4_000_000_000_000, sleep: systemClock.sleep },
    cast: {},
    by: "ada",
    signal: stop.signal,
    onEvent: ({ seq, loop, event, state }) => say({ seq, loop, type: event.type, stage: state.stage }),
    onTrouble: (item, message) => say({ trouble: `${item}: ${message}` }),
    onOtherOwner: (owner) => say({ otherOwner: owner?.pid ?? 0 }),
  };
}

export function sayResult(result: AutoResult): void {
  const settled = [...result.settled].map(([id, state]) => `${id} ${state.stage}`).sort();
  const broken = [...result.broken].map(([id, error]) => `${id}: ${error.message}`).sort();
  say({ settled, broken, blocked: result.blocked });
}

function say(line: object): void {
  writeSync(1, `${JSON.stringify(line)}\n`);
}

/** A group is killed at the very passing at which the process would kill itself. */
function killsItsGroup(): void {
  const kill = process.kill.bind(process);
  process.kill = (pid, signal) => kill(pid === process.pid && process.env.ANNEAL_KILL === "group" ? -pid : pid, signal);
}
