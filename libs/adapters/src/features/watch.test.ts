import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { scriptAt, startChild } from "../../../system/src/testing/child.ts";
import { type TempFolder, tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { featureStore } from "./store.ts";
import { heldClock } from "./testing/held-clock.ts";
import type { FeatureChange, FeatureWatchOptions } from "./watch.ts";

const AT = ".automaker/features";
const feature = (id: string, extra = {}) => JSON.stringify({ id, description: "d", ...extra }, null, 2);

async function watched(folder: TempFolder, options: FeatureWatchOptions = {}) {
  for (const id of ["f1", "f2"]) folder.write(`${AT}/${id}/feature.json`, feature(id));
  const clock = heldClock();
  const store = featureStore(folder.dir, { clock });
  const changes: string[] = [];
  let tell = () => {};
  const watch = await store.watch((change) => {
    changes.push(described(change));
    tell();
  }, options);
  return {
    store,
    watch,
    changes,
    /** Lets the watch settle after each event until so many changes are reported. */
    async until(count: number) {
      while (changes.length < count) {
        const reported = new Promise<void>((resolve) => {
          tell = resolve;
        });
        await Promise.race([clock.asleep(), reported]);
        clock.wake();
      }
      await watch.rescan();
    },
    [Symbol.dispose]: () => watch.close(),
  };
}

function described(change: FeatureChange): string {
  if (change.kind === "removed") return `removed ${change.id}`;
  return `${change.kind} ${change.id}${"damaged" in change.entry ? " damaged" : ""}`;
}

describe("what others do is reported once", () => {
  test.for<{ name: string; act: (folder: TempFolder) => void; reports: string[] }>([
    {
      name: "an edit in place",
      act: (f) => f.write(`${AT}/f1/feature.json`, feature("f1", { title: "T" })),
      reports: ["changed f1"],
    },
    {
      name: "an edit by rename",
      act: (f) =>
        renameSync(f.write(`${AT}/f1/new.json`, feature("f1", { title: "T" })), f.path(`${AT}/f1/feature.json`)),
      reports: ["changed f1"],
    },
    { name: "damage", act: (f) => f.write(`${AT}/f1/feature.json`, "{"), reports: ["changed f1 damaged"] },
    { name: "a deleted file", act: (f) => rmSync(f.path(`${AT}/f1/feature.json`)), reports: ["removed f1"] },
    { name: "a deleted folder", act: (f) => rmSync(f.path(`${AT}/f1`), { recursive: true }), reports: ["removed f1"] },
    { name: "a new folder", act: (f) => f.write(`${AT}/f3/feature.json`, feature("f3")), reports: ["added f3"] },
    {
      name: "all features gone",
      act: (f) => rmSync(f.path(AT), { recursive: true }),
      reports: ["removed f1", "removed f2"],
    },
  ])("$name", async ({ act, reports }) => {
    using folder = tempFolder();
    using seen = await watched(folder);
    act(folder);
    await seen.until(reports.length);
    expect(seen.changes.toSorted()).toEqual(reports);
  });

  test("a folder that is made first and filled later is reported when its file is there", async () => {
    using folder = tempFolder();
    using seen = await watched(folder);
    mkdirSync(folder.path(`${AT}/f3`));
    await seen.watch.rescan();
    expect(seen.changes).toEqual([]);
    writeFileSync(folder.path(`${AT}/f3/feature.json`), feature("f3"));
    await seen.until(1);
    expect(seen.changes).toEqual(["added f3"]);
  });

  test("a folder that is removed and made again is watched again", async () => {
    using folder = tempFolder();
    using seen = await watched(folder);
    rmSync(folder.path(`${AT}/f1`), { recursive: true });
    await seen.until(1);
    folder.write(`${AT}/f1/feature.json`, feature("f1"));
    await seen.until(2);
    folder.write(`${AT}/f1/feature.json`, feature("f1", { title: "T" }));
    await seen.until(3);
    expect(seen.changes).toEqual(["removed f1", "added f1", "changed f1"]);
  });

  test("a features folder that is removed and made again is watched again", async () => {
    using folder = tempFolder();
    using seen = await watched(folder);
    rmSync(folder.path(AT), { recursive: true });
    await seen.until(2);
    folder.write(`${AT}/f1/feature.json`, feature("f1"));
    await seen.until(3);
    folder.write(`${AT}/f1/feature.json`, feature("f1", { title: "T" }));
    await seen.until(4);
    folder.write(`${AT}/f9/feature.json`, feature("f9"));
    await seen.until(5);
    expect(seen.changes.slice(2)).toEqual(["added f1", "changed f1", "added f9"]);
  });

  test("several saves before the watch looks are one change, and going back to the same content is no change", async () => {
    using folder = tempFolder();
    using seen = await watched(folder);
    for (const title of ["1", "2", "3"]) folder.write(`${AT}/f1/feature.json`, feature("f1", { title }));
    folder.write(`${AT}/f2/feature.json`, "{");
    folder.write(`${AT}/f2/feature.json`, feature("f2"));
    await seen.until(1);
    expect(seen.changes).toEqual(["changed f1"]);
  });

  test("the write of another process of ours is somebody else's", async () => {
    using folder = tempFolder();
    using seen = await watched(folder);
    const child = startChild(scriptAt(import.meta.url, "../files/testing/updater.ts"), [
      folder.path(`${AT}/f1/feature.json`),
      "k",
      "1",
    ]);
    await child.said("ready");
    child.say("go");
    await child.ended;
    await seen.until(1);
    expect(seen.changes).toEqual(["changed f1"]);
  });
});

describe("what this process does is not reported", () => {
  test("updates, new features and removals through any store of the project", async () => {
    using folder = tempFolder();
    using seen = await watched(folder);
    const other = featureStore(folder.dir);
    await seen.store.update("f1", (one) => ({ ...one, title: "T" }));
    await other.update("f1", (one) => ({ ...one, title: "U" }));
    await seen.store.create({ title: "N", description: "" });
    await other.remove("f2");
    await seen.watch.rescan();
    folder.write(`${AT}/f4/feature.json`, feature("f4"));
    await seen.until(1);
    expect(seen.changes).toEqual(["added f4"]);
  });

  test("updates while the watch is looking all the time", async () => {
    using folder = tempFolder();
    using seen = await watched(folder);
    let updating = true;
    const updates = (async () => {
      for (let n = 0; n < 50; n++) await seen.store.update("f1", (one) => ({ ...one, priority: n }));
      updating = false;
    })();
    while (updating) await seen.watch.rescan();
    await updates;
    expect(seen.changes).toEqual([]);
  });

  test("but somebody else's return to what we once wrote is", async () => {
    using folder = tempFolder();
    using seen = await watched(folder);
    await seen.store.update("f1", (one) => ({ ...one, title: "ours" }));
    const ours = folder.read(`${AT}/f1/feature.json`);
    folder.write(`${AT}/f1/feature.json`, feature("f1", { title: "theirs" }));
    await seen.watch.rescan();
    folder.write(`${AT}/f1/feature.json`, ours);
    await seen.watch.rescan();
    expect(seen.changes).toEqual(["changed f1", "changed f1"]);
  });
});

test("a closed watch reports nothing more", async () => {
  using folder = tempFolder();
  const seen = await watched(folder);
  seen.watch.close();
  folder.write(`${AT}/f1/feature.json`, feature("f1", { title: "T" }));
  await seen.watch.rescan();
  expect(seen.changes).toEqual([]);
});

describe("a watch of some features only", () => {
  test.for<{ what: string; act: (folder: TempFolder) => void; reports: string[] }>([
    {
      what: "reports edits of these, and of no others",
      act: (f) => {
        f.write(`${AT}/f2/feature.json`, feature("f2", { title: "T" }));
        f.write(`${AT}/f3/feature.json`, feature("f3"));
        f.write(`${AT}/f1/feature.json`, feature("f1", { title: "T" }));
      },
      reports: ["changed f1"],
    },
    {
      what: "reports that the folder is gone",
      act: (f) => rmSync(f.path(`${AT}/f1`), { recursive: true }),
      reports: ["removed f1"],
    },
    {
      what: "reports that the folder was moved away",
      act: (f) => renameSync(f.path(`${AT}/f1`), f.path("away")),
      reports: ["removed f1"],
    },
    {
      what: "reports that all features are gone",
      act: (f) => rmSync(f.path(AT), { recursive: true }),
      reports: ["removed f1"],
    },
  ])("$what", async ({ act, reports }) => {
    using folder = tempFolder();
    using seen = await watched(folder, { only: ["f1", "../out", ""] });
    act(folder);
    await seen.until(reports.length);
    expect(seen.changes).toEqual(reports);
  });

  test("sees a feature that comes back", async () => {
    using folder = tempFolder();
    using seen = await watched(folder, { only: ["f1"] });
    renameSync(folder.path(`${AT}/f1`), folder.path("away"));
    await seen.until(1);
    renameSync(folder.path("away"), folder.path(`${AT}/f1`));
    await seen.until(2);
    folder.write(`${AT}/f1/feature.json`, feature("f1", { title: "T" }));
    await seen.until(3);
    expect(seen.changes).toEqual(["removed f1", "added f1", "changed f1"]);
  });

  test("follows another one from then on, and tells nothing of what that says already", async () => {
    using folder = tempFolder();
    using seen = await watched(folder, { only: ["f1"] });
    folder.write(`${AT}/f2/feature.json`, feature("f2", { title: "before" }));
    await seen.watch.follow("f2");
    folder.write(`${AT}/f2/feature.json`, feature("f2", { title: "after" }));
    await seen.until(1);
    expect(seen.changes).toEqual(["changed f2"]);
  });
});

describe("what others do is not lost under our own writes", () => {
  test("an edit that we wrote over before anybody looked is reported as it was", async () => {
    using folder = tempFolder();
    folder.write(`${AT}/f1/feature.json`, feature("f1", { status: "in_progress" }));
    const store = featureStore(folder.dir, { clock: heldClock() });
    const seen: FeatureChange[] = [];
    using _watch = await store.watch((change) => seen.push(change));
    await store.update("f1", (one) => ({ ...one, title: "ours" }));
    expect(seen).toEqual([]);
    folder.write(`${AT}/f1/feature.json`, feature("f1", { status: "backlog" }));
    const { feature: now } = await store.update("f1", (one) => ({ ...one, status: "code_review" }));
    expect(now.status).toBe("code_review");
    expect(seen).toMatchObject([{ kind: "changed", id: "f1", entry: { feature: { status: "backlog" } } }]);
  });

  test("what is there at the start is reported where that is asked for, before the watch is handed out", async () => {
    using folder = tempFolder();
    for (const id of ["f1", "f2"]) folder.write(`${AT}/${id}/feature.json`, feature(id));
    const seen: string[] = [];
    const store = featureStore(folder.dir, { clock: heldClock() });
    using watch = await store.watch((change) => seen.push(described(change)), { existing: "report" });
    expect(seen.sort()).toEqual(["added f1", "added f2"]);
    await watch.rescan();
    expect(seen).toHaveLength(2);
  });
});
