import { mkdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { DamagedFile, InvalidChange, MissingFile, VersionConflict } from "@anneal/system/files/errors";
import { Feature } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { scriptAt, startChild } from "../../../system/src/testing/child.ts";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { readJson, updateJson } from "./json-file.ts";
import { anyObject } from "./testing/any-object.ts";

const UPDATER = scriptAt(import.meta.url, "./testing/updater.ts");
const LOCK_HOLDER = scriptAt(import.meta.url, "../../../system/src/testing/lock-holder.ts");

const FEATURE = '{\n  "id": "feature-1",\n  "description": "d",\n  "theirs": {"x":1},\n  "status": "backlog"\n}\n';

describe("reading", () => {
  test("a good file gives its value, its text and a version that changes with every byte", async () => {
    using folder = tempFolder();
    const path = folder.write("feature.json", FEATURE);
    const first = await readJson(path, Feature);
    folder.write("feature.json", `${FEATURE}\n`);
    const second = await readJson(path, Feature);
    expect(first).toMatchObject({ ok: true, raw: FEATURE, value: { id: "feature-1", theirs: { x: 1 } } });
    expect(first.ok && second.ok && first.version !== second.version).toBe(true);
  });

  test.for([
    { name: "a cut file", text: '{\n  "id": "feature-1",\n  "desc', at: "3:3", says: "a string is not closed" },
    { name: "a file without its end", text: '{\n  "id": "a"', at: "2:12", says: "the file ends too early" },
    { name: "an empty file", text: "", at: "1:1", says: "the file is empty" },
    {
      name: "a comma too many",
      text: '{\n  "id": "a",\n}',
      at: "3:1",
      says: "a property name in double quotes is expected",
    },
    {
      name: "a comment",
      text: '{\n  // note\n  "id": "a"\n}',
      at: "2:3",
      says: "comments are not allowed in this file",
    },
    { name: "conflict markers", text: '{\n<<<<<<< HEAD\n  "id": "a"\n}', at: "2:1", says: "a value is not valid here" },
    { name: "two values", text: '{"id": "a"}{}', at: "1:12", says: "there is more text after the end of the value" },
    { name: "a raw line break in a string", text: '{\n  "id": "a\nb"\n}', at: "2:9", says: "a string is not closed" },
    {
      name: "bytes that are not UTF-8",
      text: new Uint8Array([0x7b, 0x0a, 0xff, 0x7d]),
      at: "2:1",
      says: "the bytes are not UTF-8",
    },
    {
      name: "an unknown status",
      text: '{\n  "id": "a",\n  "description": "",\n  "status": "nonsense"\n}',
      at: "4:13",
      says: 'status: expected one of "backlog", "in_progress", "code_review", "waiting_approval", "verified", "completed", or text matching ^pipeline_[\\s\\S]{1,}$',
    },
    {
      name: "a missing key",
      text: '{\n  "id": "a"\n}',
      at: "1:1",
      says: "description: expected string, received undefined",
    },
    { name: "a list", text: "[]", at: "1:1", says: "(top level): expected object, received array" },
  ])("$name is an error with the location and the problem in one line", async ({ text, at, says }) => {
    using folder = tempFolder();
    const path = folder.write("feature.json", text);
    expect(await readJson(path, Feature)).toMatchObject({
      ok: false,
      reason: "damaged",
      error: `${path}:${at}: ${says}`,
      raw: new TextDecoder("utf-8", { ignoreBOM: true }).decode(readFileSync(path)),
    });
  });

  test("a byte order mark is no damage", async () => {
    using folder = tempFolder();
    const path = folder.write("feature.json", `\uFEFF${FEATURE}`);
    expect(await readJson(path, Feature)).toMatchObject({ ok: true, raw: `\uFEFF${FEATURE}` });
  });

  test("a missing file and a folder in its place are told apart", async () => {
    using folder = tempFolder();
    mkdirSync(folder.path("folder.json"));
    expect(await readJson(folder.path("none.json"), Feature)).toMatchObject({ ok: false, reason: "missing" });
    expect(await readJson(folder.path("folder.json"), Feature)).toMatchObject({ ok: false, reason: "unreadable" });
  });
});

describe("updating", () => {
  test("only the changed value differs in the file, and unknown keys, order and layout stay", async () => {
    using folder = tempFolder();
    const path = folder.write("feature.json", FEATURE);
    const updated = await updateJson<Feature>(path, Feature, (feature) => ({ ...feature, status: "in_progress" }));
    expect(folder.read("feature.json")).toBe(FEATURE.replace("backlog", "in_progress"));
    expect(updated).toMatchObject({
      changed: true,
      value: { status: "in_progress" },
      raw: folder.read("feature.json"),
    });
  });

  test("a change that edits its argument in place is written too", async () => {
    using folder = tempFolder();
    const path = folder.write("feature.json", FEATURE);
    await updateJson(path, Feature, (feature) => {
      feature.title = "T";
      return feature;
    });
    expect(JSON.parse(folder.read("feature.json"))).toMatchObject({ title: "T" });
  });

  test.for<{ name: string; change: (feature: Feature) => Feature | null }>([
    { name: "null", change: () => null },
    { name: "an equal value", change: (feature) => ({ ...feature }) },
  ])("a change that answers $name writes nothing", async ({ change }) => {
    using folder = tempFolder();
    const path = folder.write("feature.json", FEATURE);
    const { ino, mtimeMs } = statSync(path);
    expect(await updateJson(path, Feature, change)).toMatchObject({ changed: false, raw: FEATURE });
    expect(statSync(path)).toMatchObject({ ino, mtimeMs });
  });

  test.for(['{"id": "feature-1", "desc', "", "[]", '{"id":"a","description":"d","status":"nonsense"}'])(
    "the damaged file %o is never overwritten",
    async (text) => {
      using folder = tempFolder();
      const path = folder.write("feature.json", text);
      const update = updateJson(path, Feature, (feature) => ({ ...feature, title: "T" }));
      await expect(update).rejects.toThrow(DamagedFile);
      await expect(update).rejects.toMatchObject({ path, position: { line: 1 } });
      expect(folder.files()).toEqual({ "feature.json": text });
    },
  );

  test("a change whose result is not valid is refused and names the value and what is allowed", async () => {
    using folder = tempFolder();
    const path = folder.write("feature.json", FEATURE);
    const update = updateJson(path, Feature, (feature) => ({ ...feature, priority: Number.NaN }));
    await expect(update).rejects.toThrow(InvalidChange);
    await expect(update).rejects.toThrow("priority: expected number, received null");
    expect(folder.files()).toEqual({ "feature.json": FEATURE });
  });

  test("a version that is not the current one is a conflict, and the current one is not", async () => {
    using folder = tempFolder();
    const path = folder.write("feature.json", FEATURE);
    const { version } = await updateJson(path, Feature, () => null);
    await updateJson(path, Feature, (feature) => ({ ...feature, title: "1" }), { ifVersion: version });
    const stale = updateJson(path, Feature, (feature) => ({ ...feature, title: "2" }), { ifVersion: version });
    await expect(stale).rejects.toThrow(VersionConflict);
    expect(JSON.parse(folder.read("feature.json")).title).toBe("1");
  });

  test("of two changes to the same version, exactly one wins", async () => {
    using folder = tempFolder();
    const path = folder.write("feature.json", FEATURE);
    const { version } = await updateJson(path, Feature, () => null);
    const both = ["a", "b"].map((title) =>
      updateJson(path, Feature, (feature) => ({ ...feature, title }), { ifVersion: version }),
    );
    expect((await Promise.allSettled(both)).map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("a missing file is an error, or made from what it should start with", async () => {
    using folder = tempFolder();
    const path = folder.path("settings.json");
    await expect(updateJson(path, anyObject, () => ({ a: 1 }))).rejects.toThrow(MissingFile);
    await updateJson(path, anyObject, (value) => ({ ...value, a: 1 }), { whenMissing: {}, mode: 0o600 });
    expect([folder.read("settings.json"), folder.mode("settings.json")]).toEqual(['{\n  "a": 1\n}\n', 0o600]);
  });

  test("a failing change does not stop the next one", async () => {
    using folder = tempFolder();
    const path = folder.write("feature.json", FEATURE);
    const failing = updateJson(path, Feature, () => {
      throw new Error("no");
    });
    const next = updateJson(path, Feature, (feature) => ({ ...feature, title: "T" }));
    await expect(failing).rejects.toThrow("no");
    expect(await next).toMatchObject({ changed: true });
  });
});

describe("an outside editor that saves between our read and our rename", () => {
  test.for([
    { name: "in place", text: '{"a":1,"theirs":2}', time: null },
    { name: "with the same size and the same time", text: '{"b":0}', time: 1_700_000_000 },
  ])("is not lost when it saves $name", async ({ text, time }) => {
    using folder = tempFolder();
    const path = folder.write("a.json", '{"a":1}');
    if (time !== null) utimesSync(path, time, time);
    const seen: unknown[] = [];
    await updateJson(path, anyObject, (value) => {
      seen.push(value);
      if (seen.length === 1) {
        writeFileSync(path, text);
        if (time !== null) utimesSync(path, time, time);
      }
      return { ...value, ours: 3 };
    });
    expect(seen).toEqual([{ a: 1 }, JSON.parse(text)]);
    expect(JSON.parse(folder.read("a.json"))).toEqual({ ...JSON.parse(text), ours: 3 });
  });

  test("and leaves it damaged is reported, and its bytes stay", async () => {
    using folder = tempFolder();
    const path = folder.write("a.json", '{"a":1}');
    const update = updateJson(path, anyObject, (value) => {
      writeFileSync(path, '{"a":');
      return { ...value, ours: 3 };
    });
    await expect(update).rejects.toThrow(DamagedFile);
    expect(folder.read("a.json")).toBe('{"a":');
  });

  test("and creates the file that we were about to create wins the place, and ours is applied to it", async () => {
    using folder = tempFolder();
    const path = folder.path("a.json");
    let runs = 0;
    const change = (value: Record<string, unknown>) => {
      runs += 1;
      if (runs === 1) writeFileSync(path, '{"theirs":1}');
      return { ...value, ours: 3 };
    };
    await updateJson(path, anyObject, change, { whenMissing: {} });
    expect(JSON.parse(folder.read("a.json"))).toEqual({ theirs: 1, ours: 3 });
  });
});

describe("many writers", () => {
  test("10 bursts of 20 concurrent updates of different keys keep all 200", async () => {
    using folder = tempFolder();
    const path = folder.write("feature.json", FEATURE);
    for (let burst = 0; burst < 10; burst++) {
      const keys = Array.from({ length: 20 }, (_, index) => `k${burst}-${index}`);
      await Promise.all(keys.map((key) => updateJson(path, Feature, (feature) => ({ ...feature, [key]: key }))));
    }
    const { id, description, theirs, status, ...kept } = JSON.parse(folder.read("feature.json"));
    expect(Object.keys(kept)).toHaveLength(200);
    expect(Object.entries(kept).every(([key, value]) => key === value)).toBe(true);
    expect({ id, description, theirs, status }).toEqual(JSON.parse(FEATURE));
  });

  test("two processes with 100 updates each keep all 200, and a reader never sees anything but valid JSON", async () => {
    using folder = tempFolder();
    const path = folder.write("a.json", '{\n  "start": true\n}\n');
    const children = ["a", "b"].map((prefix) => startChild(UPDATER, [path, prefix, "100"]));
    await Promise.all(children.map((child) => child.said("ready")));
    for (const child of children) child.say("go");
    let running = true;
    const ended = Promise.all(children.map(({ ended }) => ended)).finally(() => {
      running = false;
    });
    let seen = 1;
    while (running) {
      const now = await readJson(path, anyObject);
      if (!now.ok) throw new Error(now.error);
      // Updates only add keys here, so a version with fewer than before would be a lost one.
      expect(Object.keys(now.value).length).toBeGreaterThanOrEqual(seen);
      seen = Object.keys(now.value).length;
    }
    expect((await ended).map(({ code }) => code)).toEqual([0, 0]);
    expect(Object.keys(JSON.parse(folder.read("a.json")))).toHaveLength(201);
    expect(Object.keys(folder.files())).toEqual(["a.json", "anneal-files.lock"]);
  });

  test("updates that one process asks for are applied in the order of asking", async () => {
    using folder = tempFolder();
    const path = folder.write("a.json", '{"list":[]}');
    const numbers = Array.from({ length: 20 }, (_, index) => index);
    const append = (next: number) =>
      updateJson(path, anyObject, (value) => ({ list: [...(value.list as number[]), next] }));
    await Promise.all(numbers.map(append));
    expect(JSON.parse(folder.read("a.json"))).toEqual({ list: numbers });
  });

  test.for([
    { lock: "the lock", before: () => {} },
    { lock: "a lock that was put in the place of ours", before: rmSync },
  ])("what is saved while another process holds $lock is kept, and its death frees the lock", async ({ before }) => {
    using folder = tempFolder();
    const path = folder.write("a.json", "{}");
    await updateJson(path, anyObject, (value) => ({ ...value, first: 0 }));
    before(folder.path("anneal-files.lock"));
    const child = startChild(LOCK_HOLDER, [folder.path("anneal-files.lock")]);
    await child.said("held");
    let finished = false;
    const update = updateJson(path, anyObject, (value) => ({ ...value, ours: 1 })).finally(() => {
      finished = true;
    });
    const isStaged = () => Object.keys(folder.files()).some((name) => name.endsWith(".tmp"));
    while (!isStaged() && !finished) await readJson(path, anyObject);
    // Time enough to finish for an update that would not wait.
    for (let turn = 0; turn < 50; turn++) await readJson(path, anyObject);
    folder.write("a.json", '{"theirs":2}');
    child.process.kill("SIGKILL");
    expect(await update).toMatchObject({ value: { theirs: 2, ours: 1 } });
  });

  test.for(["file.write.before", "file.fsync.after", "file.rename.before", "file.rename.after"])(
    "a process killed at the fifth %s leaves whole updates only, and the next writer goes on",
    async (failpoint) => {
      using folder = tempFolder();
      const path = folder.write("a.json", "{}");
      const child = startChild(UPDATER, [path, "a", "10"], { failpoint: `${failpoint}:5` });
      await child.said("ready");
      child.say("go");
      expect((await child.ended).signal).toBe("SIGKILL");
      const done = failpoint === "file.rename.after" ? 5 : 4;
      const { value } = await updateJson(path, anyObject, (current) => ({ ...current, next: true }));
      expect(Object.keys(value)).toEqual([...Array.from({ length: done }, (_, index) => `a${index}`), "next"]);
    },
  );

  test("a disk that is full leaves the last whole update", async () => {
    using folder = tempFolder();
    const path = folder.write("a.json", "{}");
    const child = startChild(UPDATER, [path, "a", "10", "20000"], { maxFileKib: 64 });
    await child.said("ready");
    child.say("go");
    expect((await child.ended).output).toContain("EFBIG");
    expect(Object.keys(JSON.parse(folder.read("a.json")))).toEqual(["a0", "a1", "a2"]);
    expect(Object.keys(folder.files())).toEqual(["a.json", "anneal-files.lock"]);
  });
});
