import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isInside, readInside, writeInside } from "./files.ts";

let root = "";
let cwd = "";

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "anneal-files-")));
  cwd = join(root, "tree");
  mkdirSync(join(cwd, "sub"), { recursive: true });
  mkdirSync(join(cwd, ".git/hooks"), { recursive: true });
  mkdirSync(join(root, "tree-beside"));
  writeFileSync(join(cwd, "a"), "1\n2\n3\n");
  writeFileSync(join(root, "secret"), "secret");
  writeFileSync(join(root, "tree-beside/b"), "secret");
  symlinkSync("a", join(cwd, "link-inside"));
  symlinkSync("../secret", join(cwd, "link-out"));
  symlinkSync("../nothing", join(cwd, "link-to-nothing"));
  symlinkSync(root, join(cwd, "folder-out"));
  symlinkSync(".git", join(cwd, "folder-git"));
  symlinkSync(cwd, join(root, "other-name"));
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

const OUTSIDE = ["../secret", "link-out", "folder-out/secret", "../tree-beside/b", "/etc/passwd", "sub/../../secret"];

describe("an agent's file", () => {
  test.for([
    { path: "a", lines: {}, text: "1\n2\n3\n" },
    { path: "sub/../a", lines: {}, text: "1\n2\n3\n" },
    { path: "link-inside", lines: {}, text: "1\n2\n3\n" },
    { path: "a", lines: { line: 2 }, text: "2\n3\n" },
    { path: "a", lines: { line: 2, limit: 1 }, text: "2\n" },
    { path: "a", lines: { limit: 2 }, text: "1\n2\n" },
    { path: "a", lines: { line: 9 }, text: "" },
  ])("$path is read, $lines", async ({ path, lines, text }) => {
    expect(await readInside(cwd, join(cwd, path), lines)).toBe(text);
    expect(await readInside(cwd, join(root, "other-name", path), lines)).toBe(text);
  });

  test.for([...OUTSIDE, "sub", ".", "", "no-such-file", "link-to-nothing"])("%s is not read", async (path) => {
    await expect(readInside(cwd, path, {})).rejects.toThrow();
  });

  test("that waits for a writer is not waited for", async () => {
    expect(spawnSync("mkfifo", [join(cwd, "pipe")]).status).toBe(0);
    await expect(readInside(cwd, "pipe", {})).rejects.toThrow("plain file");
    await expect(writeInside(cwd, "pipe", "x")).rejects.toThrow("plain file");
  });

  test.for(["a", "new", "sub/new/deep/file", "../other-name/sub/x"])("%s is written", async (path) => {
    await writeInside(cwd, path, "new text");
    expect(readFileSync(join(cwd, path), "utf8")).toBe("new text");
  });

  test.for([
    ...[...OUTSIDE.slice(0, -1), "../new", "folder-out/new", "link-to-nothing", "link-inside", "sub", ".", ""],
    ...[".git/hooks/pre-commit", ".GIT/config", "folder-git/hooks/x", "sub/.git/config"],
  ])("%s is not written", async (path) => {
    await expect(writeInside(cwd, path, "evil")).rejects.toThrow();
    expect(readFileSync(join(root, "secret"), "utf8")).toBe("secret");
    expect(readFileSync(join(cwd, "a"), "utf8")).toBe("1\n2\n3\n");
    for (const made of ["new", "nothing", "tree/.git/hooks/pre-commit", "tree/.git/hooks/x"])
      expect(existsSync(join(root, made))).toBe(false);
  });

  test.for([
    ...["a", "new", "sub/new", "link-inside"].map((path) => ({ path, inside: true })),
    ...[...OUTSIDE, "..", ".", "link-to-nothing", "folder-out/new", ".git/config", "folder-git/x", "../new"].map(
      (path) => ({ path, inside: false }),
    ),
  ])("$path may be changed: $inside", async ({ path, inside }) => {
    expect(await isInside(cwd, path)).toBe(inside);
  });
});
