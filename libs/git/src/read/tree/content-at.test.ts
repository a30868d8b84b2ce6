import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepo } from "../../repo.ts";
import { makeRepo } from "../../testing/make-repo.ts";

test("content of files in a commit: bytes, through links within it, and never through those that lead out", async () => {
  using repo = makeRepo({ "a.txt": "one\n", "dir/b.bin": "x" });
  symlinkSync("dir/b.bin", join(repo.dir, "inside"));
  symlinkSync("/etc/passwd", join(repo.dir, "outside"));
  symlinkSync("nowhere", join(repo.dir, "dangling"));
  repo.git("add", "-A");
  repo.git("commit", "-qm", "links");
  const opened = await openRepo(repo.dir);
  const paths = ["a.txt", "missing", "dir", "inside", "outside", "dangling", "a.txt/x", "line\nbreak", "", "a.txt"];
  const found = await opened.contentAt("HEAD", paths);
  expect(found.map((one) => one?.toString() ?? null)).toEqual([
    "one\n",
    null,
    null,
    "x",
    "link out of the tree: /etc/passwd",
    null,
    null,
    null,
    null,
    "one\n",
  ]);
  expect(await opened.contentAt("HEAD", [])).toEqual([]);
});
