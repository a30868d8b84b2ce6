// Runs an epic to its merged end on a clock that stands still, for tests that kill it on the way.
import { systemClock } from "@anneal/system/clock";
import { runItems } from "../auto-mode.ts";
import { Runtime } from "../runtime.ts";

const [root = "", , key = "epic:limits"] = process.argv.slice(2);
const clock = { now: () => 1_700_000_000_000, sleep: systemClock.sleep };
const player = `scripted:${root}/.automaker/{id}.json`;
const cast = { implementer: player, reviewer: player, fixer: player };
const runtime = await Runtime.open({ root, clock, cast });
if (runtime === null) throw new Error("somebody else owns the project");
const only = [...["bucket", "gauge", "route"].map((id) => `ticket:limits/${id}`), key];
const { settled, broken } = await runItems(runtime, { only, limit: 1, signal: new AbortController().signal });
// What was done before the process died is not run again.
const row = runtime.store.loops({ item: { kind: "epic", id: "limits" } }).at(-1);
await runtime.close();
console.log([...broken.values()][0]?.message ?? row?.summary.outcome ?? [...settled.values()].at(-1)?.stage);
