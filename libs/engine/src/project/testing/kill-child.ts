// Runs one item of a project to its end on a clock that stands still, for tests that kill it on the way.
import { systemClock } from "@anneal/system/clock";
import { Runtime } from "../runtime.ts";

const [root = "", script = "", key = "f1", policy = ""] = process.argv.slice(2);
const clock = { now: () => 1_700_000_000_000, sleep: systemClock.sleep };
const cast = { implementer: script, reviewer: script, fixer: script };
const runtime = await Runtime.open({ root, clock, cast, overrides: policy === "" ? {} : { policy } });
if (runtime === null) throw new Error("somebody else owns the project");
const state = await runtime.run(key);
await runtime.close();
console.log(state.stage === "ended" ? state.outcome : state.stage);
