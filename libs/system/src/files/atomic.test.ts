import { existsSync, mkdirSync, readFileSync, readlinkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { scriptAt, startChild } from "../testing/child.ts";
import { tempFolder } from "../testing/temp-folder.ts";
import { sweepTemporaries, temporaryPathFor, writeAtomic } from "./atomic.ts";
import { OutsideJail } from "./errors.ts";

const WRITER = scriptAt(import.meta.url, "../testing/writer.ts");

describe("writing a file in one step", () => {
  test("a new file holds the bytes and nothing else is left in the folder", async () => {
    using folder = tempFolder();
    await writeAtomic(folder.path("a.bin"), new Uint8Array([0, 255, 10]));
    expect(folder.files()).toEqual({ "a.bin": "\u0000\u00ff\n" });
  });

  test.for([0o600, 0o640, 0o755])("a file with mode %o keeps it", async (mode) => {
    using folder = tempFolder();
    folder.write("a.txt", "old", mode);
    await writeAtomic(folder.path("a.txt"), "new", { mode: 0o666 });
    expect([folder.read("a.txt"), folder.mode("a.txt")]).toEqual(["new", mode]);
  });

  test("a new file gets the mode that was asked for", async () => {
    using folder = tempFolder();
    await writeAtomic(folder.path("a.txt"), "new", { mode: 0o600 });
    expect(folder.mode("a.txt")).toBe(0o600);
  });

  test("a failed rename removes the temp file and leaves the old one", async () => {
    using folder = tempFolder();
    mkdirSync(folder.path("a.txt"));
    folder.write("a.txt/inside", "kept");
    await expect(writeAtomic(folder.path("a.txt"), "new")).rejects.toThrow();
    expect(folder.files()).toEqual({ "a.txt/inside": "kept" });
  });

  test("a disk that is full half-way leaves the old file as it was and no temp file, and the error says what to do", async () => {
    using folder = tempFolder();
    folder.write("a.txt", "old");
    const child = startChild(WRITER, [folder.path("a.txt"), "1000000"], { maxFileKib: 64 });
    expect((await child.ended).output).toMatch(/failed EFBIG: .*a\.txt was not written, .*: raise the limit/);
    expect(folder.files()).toEqual({ "a.txt": "old" });
  });
});

describe("a process killed while it writes", () => {
  test.for([
    { failpoint: "file.write.before", holds: "old" },
    { failpoint: "file.fsync.after", holds: "old" },
    { failpoint: "file.rename.before", holds: "old" },
    { failpoint: "file.rename.after", holds: "nnn" },
  ])("at $failpoint leaves the file with $holds", async ({ failpoint, holds }) => {
    using folder = tempFolder();
    folder.write("a.txt", "old");
    const child = startChild(WRITER, [folder.path("a.txt"), "3"], { failpoint });
    expect((await child.ended).signal).toBe("SIGKILL");
    expect(folder.read("a.txt")).toBe(holds);
    await sweepTemporaries(folder.dir);
    expect(Object.keys(folder.files())).toEqual(["a.txt"]);
  });

  test("sweeping leaves the temp files of living processes and everything else", async () => {
    using folder = tempFolder();
    const mine = temporaryPathFor("feature.json");
    const names = [mine, ".feature.json.tmp", "notes.tmp", ".a.4194304-0123456789ab.tmp"];
    for (const name of names) folder.write(name, "");
    expect(await sweepTemporaries(folder.dir)).toEqual([".a.4194304-0123456789ab.tmp"]);
    expect(Object.keys(folder.files()).sort()).toEqual(names.slice(0, 3).sort());
  });

  test("the first write of a file by the next process clears what was left of it, and of no other", async () => {
    using folder = tempFolder();
    for (const name of ["a.txt", "b.txt"]) folder.write(`.${name}.4194304-0123456789ab.tmp`, "");
    await writeAtomic(folder.path("a.txt"), "new");
    expect(Object.keys(folder.files()).sort()).toEqual([".b.txt.4194304-0123456789ab.tmp", "a.txt"]);
  });
});

describe("links", () => {
  test("a link inside the jail stays a link and its target is replaced", async () => {
    using folder = tempFolder();
    folder.write("jail/real.txt", "old");
    symlinkSync("real.txt", folder.path("jail/link.txt"));
    await writeAtomic(folder.path("jail/link.txt"), "new", { jail: folder.path("jail") });
    expect([folder.read("jail/real.txt"), readlinkSync(folder.path("jail/link.txt"))]).toEqual(["new", "real.txt"]);
  });

  test.for([
    { name: "a link to a file outside", link: "jail/a.txt", to: "../outside/a.txt", write: "jail/a.txt" },
    { name: "a folder that is a link to the outside", link: "jail/sub", to: "../outside", write: "jail/sub/a.txt" },
    { name: "a link to nowhere", link: "jail/a.txt", to: "../outside/not-there", write: "jail/a.txt" },
    { name: "a path with two dots", link: "jail/unused", to: "x", write: "jail/../outside/a.txt" },
    { name: "a folder whose name only starts like the jail", link: "unused", to: "x", write: "jail-2/a.txt" },
  ])("$name is refused and nothing is touched", async ({ link, to, write }) => {
    using folder = tempFolder();
    for (const name of ["jail/keep", "outside/a.txt", "jail-2/a.txt"]) folder.write(name, "old");
    symlinkSync(to, folder.path(link));
    const before = folder.files();
    await expect(writeAtomic(join(folder.dir, write), "new", { jail: folder.path("jail") })).rejects.toThrow(
      OutsideJail,
    );
    expect(folder.files()).toEqual(before);
    expect(existsSync(folder.path("outside/not-there"))).toBe(false);
  });

  test("a jail that is reached over a link is the folder behind it", async () => {
    using folder = tempFolder();
    folder.write("shared/a.txt", "old");
    symlinkSync("shared", folder.path("jail"));
    await writeAtomic(folder.path("jail/a.txt"), "new", { jail: folder.path("jail") });
    expect(readFileSync(folder.path("shared/a.txt"), "utf8")).toBe("new");
  });
});
