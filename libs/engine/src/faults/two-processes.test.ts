import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { systemClock } from "@anneal/system/clock";
import { beforeAll, describe, expect, test } from "vitest";
import { logFolderOf } from "../log/index.ts";
import { openNamedItem, sendSignal } from "../project.ts";
import { runHere } from "./testing/in-process.ts";
import { leftovers } from "./testing/leftovers.ts";
import { type Load, makeLoad, SIX } from "./testing/load.ts";
import { type Outcome, outcomeOf, tellings } from "./testing/outcome.ts";
import { type Running, startRun } from "./testing/process.ts";

const { fixed = { steps: [] }, quick = { steps: [] }, stuck = { steps: [] } } = SIX;
const threeFeatures = () => makeLoad({ fixed, quick, stuck }, { testCommand: undefined, worktree: undefined });

let calm: Outcome;
beforeAll(async () => {
  using load = threeFeatures();
  await runHere(load);
  calm = outcomeOf(load);
}, 120_000);

describe("two processes that run overlapping features of one project", () => {
  test("one owns and the other follows; the owner is killed, and the other ends the work: nothing is lost or doubled", async () => {
    using load = threeFeatures();
    const one = startRun(load, { only: ["quick", "stuck"] });
    const two = startRun(load, { only: ["stuck", "fixed"] });
    const { owner, other } = await roles(one, two);
    await owner.printed(({ seq = 0 }) => seq >= 25);
    owner.child.kill("SIGKILL");
    const died = await owner.ended;
    const lived = await other.ended;
    expect([died.signal, lived.code, lived.stderr, lived.lines.at(-1)?.broken]).toEqual(["SIGKILL", 0, "", []]);
    // What only the dead one was asked for may not have begun.
    const last = await startRun(load).ended;
    expect([last.code, last.stderr, last.lines.at(-1)?.broken]).toEqual([0, "", []]);
    expect(outcomeOf(load)).toEqual(calm);
    expect(leftovers(load)).toEqual([]);
    const reported = [died, lived, last].flatMap(({ lines }) => lines.filter(({ seq }) => seq !== undefined));
    expect(tellings(load)).toEqual(expect.arrayContaining(reported));
  });

  test("signals of a third one are applied exactly once, whether the owner lives, sleeps or dies before it can apply them", async () => {
    using load = threeFeatures();
    const hang = { name: "scripted", model: "m-1", steps: [{ role: "implementer", end: "hang" }] };
    for (const id of ["stuck", "fixed"]) writeFileSync(load.at("scripts", `${id}.json`), JSON.stringify(hang));
    const owner = startRun(load, { only: ["stuck", "fixed", "quick"] });
    for (const loop of ["stuck~1", "fixed~1"])
      await owner.printed((line) => line.loop === loop && line.type === "intended");
    const other = startRun(load, { only: ["stuck", "fixed"] });
    await other.printed(({ otherOwner }) => otherOwner !== undefined);
    expect(await tell(load, "stuck", "pause")).toMatchObject({ result: "taken", by: "owner" });

    stopBetweenWrites(owner, load);
    // Nobody can take this one: a sleeping process still owns.
    expect(await tell(load, "stuck", "resume", 0)).toEqual({ result: "queued" });
    for (const [id, { steps }] of Object.entries({ stuck, fixed })) {
      writeFileSync(load.at("scripts", `${id}.json`), JSON.stringify({ ...hang, steps }));
    }
    owner.child.kill("SIGKILL");
    const lived = await other.ended;
    expect([lived.code, lived.stderr, lived.lines.at(-1)?.broken]).toEqual([0, "", []]);
    await startRun(load).ended;
    const heard = tellings(load).filter(({ type }) => type === "signalled");
    expect(heard.map(({ loop, stage }) => [loop, stage])).toEqual([
      ["stuck~1", "waiting-for-human"],
      ["stuck~1", "implementing"],
    ]);
    const { log, loops: _, ...rest } = outcomeOf(load);
    expect({ ...calm, ...rest }).toEqual(calm);
    expect(log.map(({ events }) => events.length)).toEqual(
      calm.log.map(({ loop, events }) => events.length + (loop === "stuck~1" ? 2 : 0)),
    );
    expect(leftovers(load)).toEqual([]);
  });
});

/** Which of two processes owns the project: the other one says so. */
async function roles(one: Running, two: Running): Promise<{ owner: Running; other: Running }> {
  const sawOtherOwner = ({ otherOwner }: { otherOwner?: number }) => otherOwner !== undefined;
  return await Promise.any([
    one.printed(sawOtherOwner).then(() => ({ owner: two, other: one })),
    two.printed(sawOtherOwner).then(() => ({ owner: one, other: two })),
  ]);
}

/** Puts a process to sleep, but not in the middle of a write, which would keep everybody else from writing. */
function stopBetweenWrites({ child }: Running, load: Load): void {
  for (;;) {
    child.kill("SIGSTOP");
    using log = new DatabaseSync(logFolderOf(load).database, { timeout: 0 });
    try {
      log.exec("BEGIN IMMEDIATE; ROLLBACK");
      return;
    } catch {
      child.kill("SIGCONT");
    }
  }
}

async function tell(load: Load, id: string, signal: "pause" | "resume", patienceMs?: number) {
  using talk = await openNamedItem(load.dir, id, systemClock);
  const { root, store, row } = talk;
  if (row === null) throw new Error(`${id} has no loop`);
  const args = { root, store, row, by: "ada", clock: systemClock };
  return await sendSignal(patienceMs === undefined ? args : { ...args, patienceMs }, { signal });
}
