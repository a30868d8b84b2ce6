import { cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeRepo, type TestRepo } from "../../../adapters/src/testing/make-repo.ts";
import { openBlobs } from "./blobs.ts";
import { tempProject } from "./testing/project.ts";

const at = (ms: number) => ({ clock: { now: () => ms } });

test("a branch that tracks blobs takes none of them along when it is left", () => {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  const blobs = openBlobs(repo.dir, at(0));
  const [first, second] = [blobs.put("first"), blobs.put("second")];
  repo.git("checkout", "--quiet", "-b", "old");
  repo.git("add", "--force", ".automaker/blobs");
  repo.git("commit", "--quiet", "-m", "with blobs");
  repo.git("checkout", "--quiet", "main");
  expect(existsSync(pathIn(repo, first))).toBe(false);
  expect(blobs.getText(first)).toBe("first");
  expect(existsSync(pathIn(repo, first))).toBe(true);
  expect(blobs.size(second)).toBe(6);
  expect(blobs.getRange(second, 0, 3).toString()).toBe("sec");
});

test("a blob that is swept away has no second name left, wherever git has put the first", () => {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  const blobs = openBlobs(repo.dir, at(0));
  const [kept, old, gone] = [blobs.put("kept"), blobs.put("old"), blobs.put("gone")];
  rmSync(pathIn(repo, gone));
  expect(openBlobs(repo.dir, at(1_000)).sweep(new Set([kept]), 10)).toEqual({ removed: 1, bytes: 3 });
  expect(blobs.getText(kept)).toBe("kept");
  for (const hash of [old, gone]) expect(() => blobs.get(hash)).toThrow(expect.objectContaining({ kind: "missing" }));
  const left = readdirSync(join(repo.dir, ".git/anneal/log/blobs"), { recursive: true, withFileTypes: true });
  expect(left.filter((one) => one.isFile())).toHaveLength(1);
});

test("blobs from before there were second names get theirs with the next one", () => {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  const blobs = openBlobs(repo.dir, at(0));
  const old = blobs.put("old");
  rmSync(join(repo.dir, ".git/anneal"), { recursive: true });
  blobs.put("new");
  rmSync(pathIn(repo, old));
  expect(blobs.getText(old)).toBe("old");
});

test("a blob that nobody has leaves no trace of having been looked for", () => {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  const blobs = openBlobs(repo.dir, at(0));
  expect(() => blobs.get("0".repeat(64))).toThrow(expect.objectContaining({ kind: "missing" }));
  expect(existsSync(join(repo.dir, ".automaker"))).toBe(false);
});

test("a copy of a project has blobs of its own", () => {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  const hash = openBlobs(repo.dir, at(0)).put("first");
  const copy = tempProject();
  cpSync(repo.dir, copy, { recursive: true });
  openBlobs(repo.dir, at(1_000)).sweep(new Set(), 10);
  expect(openBlobs(copy, at(0)).getText(hash)).toBe("first");
});

function pathIn({ dir }: TestRepo, hash: string): string {
  return join(dir, ".automaker/blobs", hash.slice(0, 2), hash.slice(2));
}
