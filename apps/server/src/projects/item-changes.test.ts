import { expect, test } from "vitest";
import { ItemChanges } from "./item-changes.ts";

test("what changed since a version is told, each item once", () => {
  const changes = new ItemChanges();
  changes.note(["a", "b"]);
  const first = changes.version;
  changes.note(["b"]);
  changes.note(["b", "c"]);
  expect(changes.since(first)).toEqual(["b", "c"]);
  expect(changes.since(changes.version)).toEqual([]);
});

test.for(["", "x", "-", "0-0", "-1", "%-9999999"])("of version %s nothing is known", (version) => {
  const changes = new ItemChanges();
  changes.note(["a"]);
  const [run] = changes.version.split("-");
  expect(changes.since(version.replace("%", run ?? ""))).toBeNull();
});
