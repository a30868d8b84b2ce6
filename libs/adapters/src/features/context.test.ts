import { symlinkSync } from "node:fs";
import { expect, test } from "vitest";
import { tempFolder } from "../../../system/src/testing/temp-folder.ts";
import { loadProjectContext } from "./context.ts";

test("CLAUDE.md comes whole, and the context files sorted; app_spec.txt is not among them", async () => {
  using folder = tempFolder();
  folder.write("CLAUDE.md", "c".repeat(9_000));
  folder.write(".automaker/app_spec.txt", "spec");
  folder.write(".automaker/context/b.md", "B");
  folder.write(".automaker/context/a/deep.txt", "D");
  folder.write(".automaker/context/A.md", "A");
  // Sorted by folders, it would come after what lies in a.
  folder.write(".automaker/context/a-b.md", "AB");
  expect(await loadProjectContext(folder.dir)).toEqual({
    context: {
      claudeMd: "c".repeat(9_000),
      files: [
        { path: ".automaker/context/A.md", text: "A" },
        { path: ".automaker/context/a-b.md", text: "AB" },
        { path: ".automaker/context/a/deep.txt", text: "D" },
        { path: ".automaker/context/b.md", text: "B" },
      ],
    },
    notes: [],
  });
});

test("a project without any of it has no context", async () => {
  using folder = tempFolder();
  expect(await loadProjectContext(folder.dir)).toEqual({ context: { files: [] }, notes: [] });
});

test("what is cut or left out is named", async () => {
  using folder = tempFolder();
  folder.write(".automaker/context/1.md", "abc\u{1F600}def");
  folder.write(".automaker/context/2.md", "123456");
  folder.write(".automaker/context/3.md", "never shown");
  folder.write(".automaker/context/logo.png", new Uint8Array([137, 80, 0, 255]));
  folder.write(".automaker/context/nul.txt", "a\0b");
  folder.write(".automaker/context/huge.md", "x".repeat(1_000_001));
  const { context, notes } = await loadProjectContext(folder.dir, { fileChars: 4, totalChars: 6 });
  expect(context.files.map(({ text }) => text)).toEqual(["abc", "123"]);
  expect(notes).toEqual([
    ".automaker/context/1.md was cut: 3 of 8 characters are shown",
    ".automaker/context/2.md was cut: 3 of 6 characters are shown",
    ".automaker/context/3.md was cut: 0 of 11 characters are shown",
    ".automaker/context/huge.md is left out: it is larger than 1000000 bytes",
    ".automaker/context/logo.png is left out: it is not text",
    ".automaker/context/nul.txt is left out: it is not text",
  ]);
});

test("a link that leads out of the project is not followed", async () => {
  using folder = tempFolder();
  folder.write("secret.txt", "secret");
  folder.write("project/.automaker/context/a.md", "A");
  symlinkSync("../../../secret.txt", folder.path("project/.automaker/context/link.md"));
  symlinkSync("../secret.txt", folder.path("project/CLAUDE.md"));
  symlinkSync("/", folder.path("project/.automaker/context/root"));
  const { context, notes } = await loadProjectContext(folder.path("project"));
  expect(context).toEqual({ files: [{ path: ".automaker/context/a.md", text: "A" }] });
  expect(notes).toEqual([
    "CLAUDE.md is left out: it is a link that leads out of the project",
    ".automaker/context/link.md is left out: it is a link that leads out of the project",
    ".automaker/context/root is left out: it is a link that leads out of the project",
  ]);
});
