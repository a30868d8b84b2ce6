import { writeFileSync } from "node:fs";
import { DamagedFile, MissingFile } from "@anneal/system/files/errors";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../system/src/testing/temp-folder.ts";
import { updateText } from "./text-file.ts";

describe("changing a text file", () => {
  test("what somebody else saves meanwhile is kept: the change is applied to it once more", async () => {
    using folder = tempFolder();
    const path = folder.write("a.md", "one");
    const seen: string[] = [];
    const change = (text: string) => {
      seen.push(text);
      if (seen.length === 1) writeFileSync(path, "two");
      return `${text}!`;
    };
    const result = await updateText(path, change, { lock: folder.path("state/lock"), jail: folder.dir });
    expect(result).toEqual({ changed: true, text: "two!" });
    expect(seen).toEqual(["one", "two"]);
    expect(folder.read("a.md")).toBe("two!");
    expect(Object.keys(folder.files())).toEqual(["a.md", "state/lock"]);
  });

  test("a text that stays the same is not written", async () => {
    using folder = tempFolder();
    const path = folder.write("a.md", "\uFEFFone\r\n");
    const options = { lock: folder.path("lock"), jail: folder.dir };
    expect(await updateText(path, (text) => text, options)).toEqual({ changed: false, text: "\uFEFFone\r\n" });
    expect(Object.keys(folder.files())).toEqual(["a.md"]);
  });

  test("a change that fails leaves the file and the next change alone", async () => {
    using folder = tempFolder();
    const path = folder.write("a.md", "one");
    const options = { lock: folder.path("lock"), jail: folder.dir };
    const fails = updateText(
      path,
      () => {
        throw new Error("no");
      },
      options,
    );
    const works = updateText(path, (text) => `${text}!`, options);
    await expect(fails).rejects.toThrow("no");
    await expect(works).resolves.toMatchObject({ text: "one!" });
  });

  test("a missing file and one that is no text are told apart", async () => {
    using folder = tempFolder();
    const options = { lock: folder.path("lock"), jail: folder.dir };
    const binary = folder.write("b.md", new Uint8Array([0xc3, 0x28]));
    await expect(updateText(folder.path("none.md"), (text) => text, options)).rejects.toThrow(MissingFile);
    await expect(updateText(binary, () => "x", options)).rejects.toThrow(DamagedFile);
    expect(folder.files()["b.md"]).toBe("\u00c3(");
  });
});
