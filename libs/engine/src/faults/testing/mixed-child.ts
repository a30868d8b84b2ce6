// Runs a mixed project, with one person who talks on the forge, for tests that kill it on the way.

import { openFakeForge } from "@anneal/adapters/forges";
import { systemClock } from "@anneal/system/clock";
import { currentLoop, openReader, run } from "../../project.ts";
import { runArgs, sayResult } from "./child-run.ts";
import { ASKED, forgeOf, MIXED_KEYS } from "./mixed.ts";

const [root = "", ...only] = process.argv.slice(2);
const args = runArgs(root);
// The forge is asked soon again, whatever the settings say.
const clock = {
  ...args.clock,
  sleep: (ms: number, signal: AbortSignal) => systemClock.sleep(Math.min(ms, 200), signal),
};
const player = `scripted:${root}/.automaker/scripts/{id}.json`;
const forge = await openFakeForge(forgeOf({ dir: root }), { clock });
const alice = forge.as("alice");
// A word that she owed when the last process died.
let talk = speak();

const result = await run({
  ...args,
  clock,
  cast: { implementer: player, reviewer: player, fixer: player },
  only: only.length === 0 ? MIXED_KEYS : only,
  limit: 4,
  stays: true,
  onEvent(notification) {
    args.onEvent(notification);
    if (notification.item === ASKED) talk = talk.then(speak);
  },
});
await talk;
sayResult(result);

/** She says each thing once, whatever happens to the process that she talks to. */
async function speak(): Promise<void> {
  const [pull] = await forge.fromBranch(`feature/${ASKED}`);
  if (pull === undefined || pull.state !== "open") return;
  const stage = await stageOf(ASKED);
  const said = (await forge.comments(pull.number)).some(({ author }) => author === "alice");
  if (stage === "awaiting-feedback" && !said) {
    await alice.comment(pull.number, "Please make it sound.", { file: "asked.js", line: 1 });
  } else if (stage === "waiting-for-human" && (await forge.reviews(pull.number)).length === 0) {
    await alice.review(pull.number, { state: "approved" });
  }
}

async function stageOf(key: string): Promise<string | null> {
  using reader = await openReader(root, clock);
  return reader.store === null ? null : (currentLoop(reader.store, key)?.stage ?? null);
}
