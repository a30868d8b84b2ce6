import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "@anneal/system/clock";
import type { LoopEvent } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { openReader } from "../history/reader.ts";
import { statusOf } from "../project/status.ts";
import { approve, implement, own, project } from "../project/testing/project.ts";
import { openNamedItem } from "./named-item.ts";
import { signalPendingLoop } from "./pending-loop.ts";

/** A project whose set-up goes on until somebody opens the gate. */
function gated(command = "cat") {
  const repo = project({ a: { steps: [implement, approve] } });
  const gate = join(repo.dir, ".automaker/gate");
  spawnSync("mkfifo", [gate]);
  const file = join(repo.dir, ".automaker/settings.json");
  const settings = JSON.parse(readFileSync(file, "utf8"));
  writeFileSync(file, JSON.stringify({ ...settings, worktree: { setup: [`${command} ${gate}`] } }));
  /** Settles once the set-up has begun. */
  const begun = async () => await open(gate, "w");
  return { repo, begun };
}

describe("while its worktree is made ready, a feature", () => {
  test.for([
    { signal: "pause", ends: { stage: "waiting-for-human", reason: "paused" } },
    { signal: "stop", ends: { stage: "ended", outcome: "stopped" } },
  ] as const)("hears $signal before any agent works", async ({ signal, ends }) => {
    const { repo, begun } = gated();
    const events: LoopEvent[] = [];
    const runtime = await own(repo, { clock: systemClock, onEvent: ({ event }) => events.push(event) });
    const running = runtime.run("a");
    const gate = await begun();
    using talk = await openNamedItem(repo.dir, "a", systemClock);
    expect(talk).toMatchObject({ row: null, coming: "a~1" });
    using reader = await openReader(repo.dir, systemClock);
    expect(await statusOf(reader)).toMatchObject([{ id: "a", status: "backlog", coming: true, loop: null }]);
    const answer = signalPendingLoop({ ...talk, loop: talk.coming ?? "", by: "ada", clock: systemClock }, { signal });
    await gate.close();
    expect(await running).toMatchObject(ends);
    expect(await answer).toMatchObject({ result: "taken", state: ends });
    expect(events.map(({ type }) => type)).toEqual(["loop-started", "signalled"]);
  });

  test("takes nothing else, and says why", async () => {
    const { repo, begun } = gated();
    const runtime = await own(repo, { clock: systemClock });
    const running = runtime.run("a");
    const gate = await begun();
    using talk = await openNamedItem(repo.dir, "a", systemClock);
    const args = { ...talk, loop: talk.coming ?? "", by: "ada", clock: systemClock };
    expect(await signalPendingLoop(args, { signal: "approve" })).toMatchObject({
      result: "refused",
      reason: expect.stringContaining("has not started yet"),
    });
    await gate.close();
    expect(await running).toMatchObject({ outcome: "passed" });
  });

  test("whose set-up then fails answers that", async () => {
    const { repo, begun } = gated("grep -q never");
    const runtime = await own(repo, { clock: systemClock });
    const running = runtime.run("a").catch((error: Error) => error.message);
    const gate = await begun();
    using talk = await openNamedItem(repo.dir, "a", systemClock);
    const args = { ...talk, loop: talk.coming ?? "", by: "ada", clock: systemClock };
    const answer = signalPendingLoop(args, { signal: "stop" });
    await gate.close();
    expect(await running).toContain("the set-up of the workspace failed");
    expect(await answer).toEqual({ result: "refused", reason: "the workspace of the item could not be prepared" });
  });
});
