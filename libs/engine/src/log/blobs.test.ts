import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { BlobError, openBlobs } from "./blobs.ts";
import { logFolderOf } from "./log-folder.ts";
import { startChild } from "./testing/child.ts";
import { inFolder, tempProject } from "./testing/project.ts";

const HELLO = "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824";
const at = (now: number) => ({ clock: { now: () => now } });
const blobsIn = (root: string) => logFolderOf({ gitDir: root }).blobs;
const pathIn = (root: string, hash: string) => join(blobsIn(root), hash.slice(0, 2), hash.slice(2));
const filesIn = (root: string) =>
  readdirSync(blobsIn(root), { recursive: true, withFileTypes: true }).filter((e) => e.isFile());

test("content is kept under its hash, and comes back as it was", () => {
  const root = tempProject();
  const blobs = openBlobs({ gitDir: root }, at(0));
  expect(blobs.put("hello")).toBe(HELLO);
  expect(readFileSync(pathIn(root, HELLO), "utf8")).toBe("hello");
  expect(blobs.getText(HELLO)).toBe("hello");
  const bytes = Buffer.from([0, 255, 10, 13, 128]);
  expect(blobs.get(blobs.put(bytes))).toEqual(bytes);
  expect(blobs.getText(blobs.put(""))).toBe("");
  expect(blobs.getText(blobs.put("ü\n"))).toBe("ü\n");
});

test("what is there is not written again", () => {
  const root = tempProject();
  openBlobs({ gitDir: root }, at(0)).put("hello");
  const { ino } = statSync(pathIn(root, HELLO));
  openBlobs({ gitDir: root }, at(1_000)).put(Buffer.from("hello"));
  expect([statSync(pathIn(root, HELLO)).ino, filesIn(root).length]).toEqual([ino, 1]);
});

test("a blob that was cut off is made whole by the next put", () => {
  const root = tempProject();
  const blobs = openBlobs({ gitDir: root }, at(0));
  truncateSync(pathIn(root, blobs.put("hello")), 2);
  blobs.put("hello");
  expect(blobs.getText(HELLO)).toBe("hello");
});

test.for([
  [0, 5, "hello"],
  [1, 3, "ell"],
  [3, 100, "lo"],
  [5, 1, ""],
  [9, 4, ""],
  [2, 0, ""],
] as const)("the range from %i of length %i is %j", ([offset, length, part]) => {
  const blobs = openBlobs({ gitDir: tempProject() }, at(0));
  expect(blobs.getRange(blobs.put("hello"), offset, length).toString()).toBe(part);
});

describe("what cannot be trusted is an error by name", () => {
  test("content that does not fit its hash is damaged, and left as it is", () => {
    const root = tempProject();
    const blobs = openBlobs({ gitDir: root }, at(0));
    writeFileSync(pathIn(root, blobs.put("hello")), "HELLO");
    expect(() => blobs.get(HELLO)).toThrow(expect.objectContaining({ name: "BlobError", kind: "damaged" }));
    expect(() => blobs.getText(HELLO)).toThrow(BlobError);
    expect(readFileSync(pathIn(root, HELLO), "utf8")).toBe("HELLO");
  });

  test("a blob that is not there is missing", () => {
    const blobs = openBlobs({ gitDir: tempProject() }, at(0));
    for (const read of [() => blobs.get(HELLO), () => blobs.getText(HELLO), () => blobs.getRange(HELLO, 0, 1)]) {
      expect(read).toThrow(expect.objectContaining({ kind: "missing" }));
    }
  });

  test.for([[""], ["abc"], ["../../../etc/passwd"], [HELLO.toUpperCase()], [`${HELLO}\n`], [`../${HELLO.slice(3)}`]])(
    "%j is no hash, and no file is opened for it",
    ([hash = ""]) => {
      const blobs = openBlobs({ gitDir: tempProject() }, at(0));
      expect(() => blobs.get(hash)).toThrow(expect.objectContaining({ kind: "not-a-hash" }));
      expect(() => blobs.getRange(hash, 0, 1)).toThrow(expect.objectContaining({ kind: "not-a-hash" }));
    },
  );

  test("a folder that cannot be made is an error by name", () => {
    const root = tempProject();
    writeFileSync(inFolder(root, "blobs"), "a file in the way");
    expect(() => openBlobs({ gitDir: root }, at(0)).put("hello")).toThrow(
      expect.objectContaining({ name: "StoreError" }),
    );
  });
});

describe("a sweep", () => {
  test("removes what is neither kept nor young, counts it, and touches nothing that is not a blob", () => {
    const root = tempProject();
    const old = openBlobs({ gitDir: root }, at(1_000));
    const [kept, unused, again] = [old.put("kept"), old.put("unused"), old.put("again")];
    const now = openBlobs({ gitDir: root }, at(100_000));
    const young = now.put("young");
    expect(now.put("again")).toBe(again);
    const foreign = join(dirname(pathIn(root, kept)), "notes.txt");
    writeFileSync(foreign, "");
    expect(now.sweep(new Set([kept]), 50_000)).toEqual({ removed: 1, bytes: 6 });
    expect([kept, young, again].map((hash) => now.getText(hash))).toEqual(["kept", "young", "again"]);
    expect(() => now.get(unused)).toThrow(expect.objectContaining({ kind: "missing" }));
    expect(readFileSync(foreign, "utf8")).toBe("");
  });

  test("of a project without blobs removes nothing", () => {
    expect(openBlobs({ gitDir: tempProject() }, at(0)).sweep(new Set(), 0)).toEqual({ removed: 0, bytes: 0 });
  });
});

describe("killed while a blob is written", () => {
  test.for([
    ["blob.write.before", "missing"],
    ["blob.rename.before", "missing"],
    ["blob.rename.after", "there"],
  ] as const)("at %s it is %s, never half there, and the next put makes it whole", async ([point, expected]) => {
    const root = tempProject();
    mkdirSync(blobsIn(root), { recursive: true });
    const { signal } = await startChild("putter", [root, "hello"], { ANNEAL_FAILPOINT: point }).end();
    expect(signal).toBe("SIGKILL");
    const blobs = openBlobs({ gitDir: root }, at(10_000));
    if (expected === "there") expect(blobs.getText(HELLO)).toBe("hello");
    else expect(() => blobs.get(HELLO)).toThrow(expect.objectContaining({ kind: "missing" }));
    expect(blobs.getText(blobs.put("hello"))).toBe("hello");
    // The try that was killed is gone as well.
    expect(filesIn(root)).toHaveLength(1);
  });
});

test("the folder may vanish between two puts", () => {
  const root = tempProject();
  const blobs = openBlobs({ gitDir: root }, at(0));
  blobs.put("hello");
  rmSync(logFolderOf({ gitDir: root }).folder, { recursive: true });
  expect(blobs.getText(blobs.put("hello"))).toBe("hello");
});
