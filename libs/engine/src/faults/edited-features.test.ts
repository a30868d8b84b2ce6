import { cpSync, existsSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type LoopNotification, openNamedItem, openReader, sendSignal, statusOf } from "../project.ts";
import { heldClock, runHere } from "./testing/in-process.ts";
import { leftovers } from "./testing/leftovers.ts";
import { type Load, makeLoad, SIX } from "./testing/load.ts";
import { type Outcome, outcomeOf, tellings } from "./testing/outcome.ts";

/** Moments of a loop at which its file is cut in half. */
const MOMENTS = ["implemented", "reviewed", "fixed"] as const;
const GONE = ["file-gone", "folder-gone"];
const IDS = ["edited", ...GONE, ...MOMENTS, "calm"];
const { last = { steps: [] } } = SIX;
const { dependencies: _, ...loop } = last;
const quietly = { testCommand: undefined, worktree: undefined };
const manyFeatures = () => makeLoad(Object.fromEntries(IDS.map((id) => [id, loop])), quietly);
const ended = (...ids: string[]) => ids.map((id) => `${id} ended`).sort();

test("feature.json files are edited, cut in half and deleted while their loops run: nothing is lost, nobody else is disturbed, and what is mended ends as if nothing had happened", async () => {
  using calm = manyFeatures();
  expect(await runHere(calm)).toEqual({ settled: ended(...IDS), broken: [], troubles: [] });
  const expected = outcomeOf(calm);

  using load = manyFeatures();
  const files = vandal(load);
  const { settled, broken, troubles } = await runHere(load, { onEvent: files.onEvent });
  const { log, features } = outcomeOf(load);

  expect(settled).toEqual(expect.arrayContaining(ended("edited", "calm")));
  expect(broken.filter((line) => !line.includes("/feature.json") && !line.includes("-gone: "))).toEqual([]);
  expect(features.calm).toEqual(expected.features.calm);
  const worktreePath = join(`${load.dir}.anneal`, "edited");
  expect(load.feature("edited")).toEqual({ ...calm.feature("edited"), ...files.byHand(), worktreePath });
  for (const id of MOMENTS) {
    expect(readFileSync(load.at("features", id, "feature.json"), "utf8"), id).toBe(files.half(id));
    expect(log.find((one) => one.loop === `${id}~1`)).toEqual(expected.log.find((one) => one.loop === `${id}~1`));
    const place = new RegExp(`^${id}: .*features/${id}/feature\\.json:\\d+:\\d+: `);
    expect(troubles.filter((line) => place.test(line))).toHaveLength(1);
    expect(await lineOf(load, id)).toMatchObject({ damaged: expect.stringContaining(`${id}/feature.json:`) });
  }
  for (const id of GONE) {
    expect(existsSync(load.at("features", id, "feature.json"))).toBe(false);
    expect((await lineOf(load, id))?.damaged).toEqual(expect.any(String));
  }

  files.mend();
  const others = () => tellings(load).filter(({ loop }) => !loop.includes("-gone"));
  const before = others();
  for (const id of GONE) await sayResume(load, id);
  expect(await runHere(load)).toMatchObject({ broken: [], troubles: [] });
  expect(others()).toEqual(before);
  const edited = { ...expected, features: { ...expected.features, edited: features.edited ?? {} } };
  expect(settledThings(outcomeOf(load))).toEqual(settledThings(edited));
  expect(leftovers(load)).toEqual([]);
});

/** Without the logs of the deleted ones and what their prompts were: they may have been paused on the way. */
function settledThings({ log, loops, blobs: _, ...rest }: Outcome) {
  const isCalm = ({ loop }: { loop: string }) => !loop.includes("-gone");
  return { ...rest, log: log.filter(isCalm), loops: loops.filter(isCalm) };
}

/** A loop whose file was deleted waits for a person, unless it had ended before anybody noticed. */
async function sayResume(load: Load, id: string): Promise<void> {
  using talk = await openNamedItem(load.dir, id, heldClock);
  const { root, store, row } = talk;
  if (row?.stage === "waiting-for-human")
    await sendSignal({ root, store, row, by: "ada", clock: heldClock }, { signal: "resume" });
}

const isNoTemporary = (path: string) => !path.endsWith(".tmp");

async function lineOf(load: Load, id: string) {
  using reader = await openReader(load.dir, heldClock);
  return (await statusOf(reader)).find((line) => line.id === id);
}

/** Somebody who gets at the files while the loops run, and can put everything back. */
function vandal(load: Load) {
  const json = (id: string) => load.at("features", id, "feature.json");
  const whole = new Map<string, string>();
  const halves = new Map<string, string>();
  const hidden = { "file-gone": json("file-gone"), "folder-gone": load.at("features", "folder-gone") };
  let edits = 0;

  const edit = () => {
    edits += 1;
    const now = JSON.parse(readFileSync(json("edited"), "utf8"));
    const changed = { ...now, description: `Wants it ${edits} times.`, [`by-hand-${edits}`]: edits };
    // As editors save: a new file in place of the old one.
    writeFileSync(`${json("edited")}~`, JSON.stringify(changed, null, 4));
    renameSync(`${json("edited")}~`, json("edited"));
  };
  const cut = (id: string) => {
    whole.set(id, readFileSync(json(id), "utf8"));
    truncateSync(json(id), Math.floor((whole.get(id)?.length ?? 0) / 2));
    halves.set(id, readFileSync(json(id), "utf8"));
  };

  return {
    onEvent: ({ item, event }: LoopNotification) => {
      if (item === "edited") edit();
      if (item === event.type && !whole.has(item)) cut(item);
      if (event.type !== "committed" || (item !== "file-gone" && item !== "folder-gone")) return;
      if (!existsSync(hidden[item])) return;
      cpSync(load.at("features", item), load.at(`away-${item}`), { recursive: true, filter: isNoTemporary });
      rmSync(hidden[item], { recursive: true });
    },
    half: (id: string) => halves.get(id),
    byHand: () => ({
      description: `Wants it ${edits} times.`,
      ...Object.fromEntries(Array.from({ length: edits }, (_, n) => [`by-hand-${n + 1}`, n + 1])),
    }),
    mend: () => {
      for (const [id, text] of whole) writeFileSync(json(id), text);
      for (const id of Object.keys(hidden)) {
        cpSync(load.at(`away-${id}`), load.at("features", id), { recursive: true, force: false });
        rmSync(load.at(`away-${id}`), { recursive: true });
      }
    },
  };
}
