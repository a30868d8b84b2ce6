// Takes a feature from its start to its merged pull request, with one person on the forge, for tests that kill it on the way.
import { join } from "node:path";
import { openFakeForge } from "@anneal/adapters/forges";
import { systemClock } from "@anneal/system/clock";
import { currentLoop } from "../../history/loop-history.ts";
import { Runtime } from "../runtime.ts";

const [root = "", script = "", key = "f1"] = process.argv.slice(2);
const clock = { now: () => 1_700_000_000_000, sleep: systemClock.sleep };
const cast = { implementer: script, reviewer: script, fixer: script };
const runtime = await Runtime.open({ root, clock, cast });
if (runtime === null) throw new Error("somebody else owns the project");
const forge = await openFakeForge(join(root, ".git/forge.git"), { clock });
const alice = forge.as("alice");
for (let turn = 0; turn < 10 && stage() !== "ended"; turn++) {
  await runtime.look();
  if (stage() !== "ended") await runtime.run(key);
  // What is told on the forge has its place in the conversation, whatever else is at work.
  await runtime.told();
  const said = stage() === "ended" ? null : await forge.comments(1);
  // She says each thing once, whatever happens to the process that she talks to.
  if (said?.length === 0) await alice.comment(1, "Please refuse what is no text.", { file: "auth.js", line: 1 });
  else if (stage() === "waiting-for-human" && (await forge.reviews(1)).length === 0) {
    await alice.review(1, { state: "approved" });
  }
}
const last = currentLoop(runtime.store, key)?.summary.outcome ?? stage();
await runtime.close();
console.log(last);

function stage(): string | null {
  return runtime === null ? null : (currentLoop(runtime.store, key)?.stage ?? null);
}
