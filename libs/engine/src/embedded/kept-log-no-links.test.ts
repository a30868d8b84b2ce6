import { rmSync } from "node:fs";
import { expect, onTestFinished, test, vi } from "vitest";
import { makeRepo } from "../../../adapters/src/testing/make-repo.ts";
import { entry } from "./testing/entries.ts";
import { inFolder, numbers, openFor } from "./testing/project.ts";

vi.mock(import("node:fs"), async (original) => ({
  ...(await original()),
  linkSync: () => {
    throw Object.assign(new Error("not on this disk"), { code: "EPERM" });
  },
}));

test("where a disk has no second names, a log that is gone is missed, not begun anew", () => {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  const store = openFor(repo.dir);
  store.append("a", [entry(1)]);
  store.close();
  const again = openFor(repo.dir);
  expect(numbers(again.events("a"))).toEqual([1]);
  again.close();
  rmSync(inFolder(repo.dir, "anneal.db"));
  expect(() => openFor(repo.dir)).toThrow(expect.objectContaining({ kind: "moved" }));
  expect(() => openFor(repo.dir, { readOnly: true })).toThrow(/gone.*no-links/);
});

test("nor does it take writes once it is gone while it is open", () => {
  const repo = makeRepo({ "a.txt": "a\n" });
  onTestFinished(() => repo.remove());
  const store = openFor(repo.dir);
  rmSync(inFolder(repo.dir, "anneal.db"));
  expect(() => store.append("a", [entry(1)])).toThrow(expect.objectContaining({ kind: "moved" }));
});
