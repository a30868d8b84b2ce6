import { mkdirSync, renameSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type TempFolder, tempFolder } from "../../../system/src/testing/temp-folder.ts";
import type { Clock } from "../ports.ts";
import type { CatalogueEntry } from "./catalogue.ts";
import { offerCover } from "./cover.ts";
import { featureStore } from "./store.ts";

const AT = ".automaker/features";
const text = (id: string, title: string) => JSON.stringify({ id, title, description: "", status: "backlog" });

const PATIENT = { timeout: 20_000 };

/** A catalogue whose time passes when the test says so. It is late enough for the files to be old. */
async function catalogueIn(folder: TempFolder, { aheadMs = 60_000 } = {}) {
  let now = Date.now() + aheadMs;
  const clock: Clock = { now: () => now, sleep: () => new Promise<void>(() => {}) };
  const features = featureStore(folder.dir, { clock });
  const reported: string[] = [];
  const shown = new Map<string, CatalogueEntry>();
  const catalogue = await features.catalogue((id, entry) => {
    reported.push(id);
    if (entry === null) shown.delete(id);
    else shown.set(id, entry);
  });
  return {
    features,
    pass: (ms: number) => {
      now += ms;
    },
    /** What is reported by one look. */
    async look(named?: string) {
      reported.length = 0;
      await catalogue.refresh(named);
      return [...reported].sort();
    },
    titles: () =>
      Object.fromEntries(
        [...shown].map(([id, { entry }]) => [id, "damaged" in entry ? "damaged" : (entry.feature.title ?? "")]),
      ),
    damageOf: (id: string) => {
      const entry = shown.get(id)?.entry;
      return entry !== undefined && "damaged" in entry ? entry.damaged : null;
    },
    [Symbol.dispose]: () => catalogue[Symbol.dispose](),
  };
}

describe("a kept list of features", () => {
  test("reads everything once; nothing is reported again while nothing changes", async () => {
    using folder = tempFolder();
    for (const id of ["a", "b"]) folder.write(`${AT}/${id}/feature.json`, text(id, id));
    using list = await catalogueIn(folder);
    expect(await list.look()).toEqual(["a", "b"]);
    list.pass(5_000);
    expect(await list.look()).toEqual([]);
    expect(list.titles()).toEqual({ a: "a", b: "b" });
  });

  test("what this process writes is seen at once", async () => {
    using folder = tempFolder();
    using list = await catalogueIn(folder);
    await list.look();
    const { id } = await list.features.create({ title: "new", description: "" });
    expect(await list.look()).toEqual([id]);
    await list.features.update(id, (feature) => ({ ...feature, title: "newer" }));
    expect(await list.look()).toEqual([id]);
    expect(list.titles()).toEqual({ [id]: "newer" });
    await list.features.remove(id);
    expect(await list.look()).toEqual([id]);
    expect(list.titles()).toEqual({});
  });

  test.for<{ what: string; edit: (folder: TempFolder) => void; titles: Record<string, string> }>([
    {
      what: "an edit in place",
      edit: (folder) => folder.write(`${AT}/a/feature.json`, text("a", "edited")),
      titles: { a: "edited", b: "b" },
    },
    {
      what: "an edit that keeps size and time",
      edit: (folder) => {
        folder.write(`${AT}/a/feature.json`, text("a", "z"));
        utimesSync(folder.path(`${AT}/a/feature.json`), 1, 1);
      },
      titles: { a: "z", b: "b" },
    },
    {
      what: "a file that takes its place",
      edit: (folder) => renameSync(folder.write(`${AT}/new`, text("a", "y")), folder.path(`${AT}/a/feature.json`)),
      titles: { a: "y", b: "b" },
    },
    {
      what: "a new folder",
      edit: (folder) => folder.write(`${AT}/c/feature.json`, text("c", "c")),
      titles: { a: "a", b: "b", c: "c" },
    },
    {
      what: "a folder that is gone",
      edit: (folder) => rmSync(folder.path(`${AT}/a`), { recursive: true }),
      titles: { b: "b" },
    },
    {
      what: "a file that is gone",
      edit: (folder) => rmSync(folder.path(`${AT}/a/feature.json`)),
      titles: { a: "damaged", b: "b" },
    },
    {
      what: "a file that is damaged",
      edit: (folder) => folder.write(`${AT}/a/feature.json`, '{"id": "a",'),
      titles: { a: "damaged", b: "b" },
    },
    {
      what: "a link in place of a folder",
      edit: (folder) => {
        rmSync(folder.path(`${AT}/a`), { recursive: true });
        symlinkSync(folder.path(`${AT}/b`), folder.path(`${AT}/a`));
      },
      titles: { a: "damaged", b: "b" },
    },
    {
      what: "features that are all gone",
      edit: (folder) => rmSync(folder.path(AT), { recursive: true }),
      titles: {},
    },
  ])("$what is seen by the first look after a second", async ({ edit, titles }) => {
    using folder = tempFolder();
    for (const id of ["a", "b"]) {
      utimesSync(folder.write(`${AT}/${id}/feature.json`, text(id, id)), 1, 1);
    }
    using list = await catalogueIn(folder);
    await list.look();
    edit(folder);
    list.pass(999);
    expect(await list.look()).toEqual([]);
    list.pass(1);
    await list.look();
    expect(list.titles()).toEqual(titles);
  });

  test("what is asked for by name is looked at in any case; what is no id leads nowhere", async () => {
    using folder = tempFolder();
    for (const id of ["a", "b"]) folder.write(`${AT}/${id}/feature.json`, text(id, id));
    folder.write("outside/feature.json", text("outside", "x"));
    using list = await catalogueIn(folder);
    await list.look();
    for (const id of ["a", "b"]) folder.write(`${AT}/${id}/feature.json`, text(id, "edited"));
    expect(await list.look("a")).toEqual(["a"]);
    expect(await list.look("../../outside")).toEqual([]);
    expect(await list.look("nothing")).toEqual([]);
    expect(list.titles()).toEqual({ a: "edited", b: "b" });
  });

  test("a file that had just been changed when it was read is read again, whatever it looks like", async () => {
    using folder = tempFolder();
    folder.write(`${AT}/a/feature.json`, text("a", "a"));
    using list = await catalogueIn(folder, { aheadMs: 0 });
    await list.look();
    folder.write(`${AT}/a/feature.json`, text("a", "b"));
    list.pass(1_000);
    await list.look();
    expect(list.titles()).toEqual({ a: "b" });
  });

  test("where a link leads is looked at every time", async () => {
    using folder = tempFolder();
    folder.write(`${AT}/a/real.json`, text("a", "a"));
    symlinkSync("real.json", folder.path(`${AT}/a/feature.json`));
    using list = await catalogueIn(folder);
    await list.look();
    folder.write(`${AT}/a/real.json`, text("a", "b"));
    list.pass(1_000);
    await list.look();
    expect(list.titles()).toEqual({ a: "b" });
  });

  test("a damaged feature tells where, and is whole again once it is mended", async () => {
    using folder = tempFolder();
    folder.write(`${AT}/a/feature.json`, '{"id": "a", "description": 7}');
    using list = await catalogueIn(folder);
    await list.look();
    expect(list.damageOf("a")).toMatch(/feature\.json:1:\d+: .*description/);
    folder.write(`${AT}/a/feature.json`, text("a", "mended"));
    list.pass(1_000);
    await list.look();
    expect(list.titles()).toEqual({ a: "mended" });
  });

  test("a clock that is put back does not stop the looking", async () => {
    using folder = tempFolder();
    mkdirSync(folder.path(AT), { recursive: true });
    using list = await catalogueIn(folder);
    await list.look();
    folder.write(`${AT}/a/feature.json`, text("a", "a"));
    list.pass(-30_000);
    expect(await list.look()).toEqual(["a"]);
  });

  test("those who ask at the same time all see what was written before they asked", async () => {
    using folder = tempFolder();
    for (let n = 0; n < 600; n += 1) folder.write(`${AT}/f${n}/feature.json`, text(`f${n}`, "old"));
    using list = await catalogueIn(folder);
    const first = list.look();
    await list.features.update("f0", (feature) => ({ ...feature, title: "new" }));
    await list.look();
    expect(list.titles().f0).toBe("new");
    await first;
  });
});

describe("a kept list and a watch of the same process", () => {
  const old = (folder: TempFolder, id: string, title: string) =>
    utimesSync(folder.write(`${AT}/${id}/feature.json`, text(id, title)), 1, 1);

  test.runIf(process.platform === "linux")("sees what the watch tells of, without looking at the rest", async () => {
    using folder = tempFolder();
    for (const id of ["a", "b"]) old(folder, id, id);
    using list = await catalogueIn(folder);
    using _watch = await list.features.watch(() => {});
    await list.look();
    list.pass(1_000);
    await list.look();
    folder.write(`${AT}/a/feature.json`, text("a", "edited"));
    folder.write(`${AT}/c/feature.json`, text("c", "c"));
    rmSync(folder.path(`${AT}/b`), { recursive: true });
    // No time passes, so that only what was reported is looked at.
    await expect
      .poll(async () => {
        await list.look();
        return list.titles();
      }, PATIENT)
      .toEqual({ a: "edited", c: "c" });
  });

  test.for([
    { what: "tells of everything", isWhole: true, unseenMs: 20_000, moreMs: 9_000 },
    { what: "cannot watch every folder", isWhole: false, unseenMs: 999, moreMs: 1 },
  ])(
    "one that $what: other files are looked at $moreMs ms after $unseenMs, and not before",
    async ({ isWhole, unseenMs, moreMs }) => {
      using folder = tempFolder();
      old(folder, "a", "a");
      using list = await catalogueIn(folder);
      using _silent = offerCover(folder.path(AT), () => isWhole);
      await list.look();
      list.pass(1_000);
      await list.look();
      old(folder, "a", "b");
      list.pass(unseenMs);
      await list.look();
      expect(list.titles()).toEqual({ a: "a" });
      list.pass(moreMs);
      await list.look();
      expect(list.titles()).toEqual({ a: "b" });
    },
  );

  test("that has ended is relied on no more", async () => {
    using folder = tempFolder();
    old(folder, "a", "a");
    using list = await catalogueIn(folder);
    const cover = offerCover(folder.path(AT), () => true);
    await list.look();
    list.pass(1_000);
    await list.look();
    cover[Symbol.dispose]();
    old(folder, "a", "b");
    list.pass(1_000);
    await list.look();
    expect(list.titles()).toEqual({ a: "b" });
  });

  test("what had just been changed is looked at again every second", async () => {
    using folder = tempFolder();
    old(folder, "a", "a");
    using list = await catalogueIn(folder, { aheadMs: 0 });
    using _silent = offerCover(folder.path(AT), () => true);
    await list.look();
    list.pass(1_000);
    await list.look();
    old(folder, "a", "b");
    list.pass(1_000);
    await list.look();
    expect(list.titles()).toEqual({ a: "b" });
  });
});

describe("features by name and version", () => {
  test("a new feature takes the id that it is given; one that is taken is refused, and nothing is touched", async () => {
    using folder = tempFolder();
    const features = featureStore(folder.dir);
    await features.create({ title: "first", description: "" }, "login");
    const before = folder.files();
    await expect(features.create({ title: "second", description: "" }, "login")).rejects.toThrow(
      "there is a feature login already",
    );
    expect(folder.files()).toEqual(before);
  });

  test.for(["../x", "a/b", "", ".hidden", "a..b"])("%s is no id of a new feature", async (id) => {
    using folder = tempFolder();
    await expect(featureStore(folder.dir).create({ title: "t", description: "" }, id)).rejects.toThrow(/id/);
    expect(folder.files()).toEqual({});
  });

  test("a feature is removed only while it is the version that was read", async () => {
    using folder = tempFolder();
    const features = featureStore(folder.dir);
    const { id, version } = await features.create({ title: "t", description: "" });
    folder.write(`${AT}/${id}/feature.json`, text(id, "edited"));
    await expect(features.remove(id, { ifVersion: version })).rejects.toThrow("has changed since it was read");
    const now = await features.get(id);
    expect(await features.remove(id, { ifVersion: now !== null && "version" in now ? now.version : "" })).toBe(true);
    expect(await features.get(id)).toBeNull();
  });
});
