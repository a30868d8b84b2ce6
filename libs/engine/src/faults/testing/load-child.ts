// Runs features of a project through `run()` on a clock that stands still, for tests that kill it on the way.
import { writeSync } from "node:fs";
import { systemClock } from "@anneal/adapters/clock";
import { run } from "../../project.ts";

const [root = "", ...only] = process.argv.slice(2);
const say = (line: object) => writeSync(1, `${JSON.stringify(line)}\n`);
// Later than any start of a process, so that whoever compares the two sees a clock that goes on.
const clock = { now: () => 4_000_000_000_000, sleep: systemClock.sleep };
const stop = new AbortController();
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stop.abort());

// A group is killed at the very passing at which the process would kill itself.
const kill = process.kill.bind(process);
process.kill = (pid, signal) => kill(pid === process.pid && process.env.ANNEAL_KILL === "group" ? -pid : pid, signal);

const result = await run({
  root,
  clock,
  cast: {},
  limit: 3,
  by: "ada",
  signal: stop.signal,
  onEvent: ({ seq, loop, event, state }) => say({ seq, loop, type: event.type, stage: state.stage }),
  onTrouble: (item, message) => say({ trouble: `${item}: ${message}` }),
  onBeside: (owner) => say({ beside: owner?.pid ?? 0 }),
  ...(only.length === 0 ? {} : { only }),
});
const settled = [...result.settled].map(([id, state]) => `${id} ${state.stage}`).sort();
const broken = [...result.broken].map(([id, error]) => `${id}: ${error.message}`).sort();
say({ settled, broken, blocked: result.blocked });
