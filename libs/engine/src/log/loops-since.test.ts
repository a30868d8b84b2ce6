import { expect, test } from "vitest";
import { entry } from "./testing/entries.ts";
import { openFor, tempProject } from "./testing/project.ts";

test("the loops with events after a number are listed, each once and oldest first", () => {
  const store = openFor(tempProject());
  store.append("a", [entry(1)]);
  store.append("b", [entry(2)]);
  store.append("c", [entry(3)]);
  store.append("a", [entry(4), entry(5)]);
  const since = (seq: number) => store.loopsSince(seq).map(({ loop, lastSeq }) => [loop, lastSeq]);
  expect(since(0)).toEqual([
    ["a", 5],
    ["b", 2],
    ["c", 3],
  ]);
  expect(since(2)).toEqual([
    ["a", 5],
    ["c", 3],
  ]);
  expect(since(5)).toEqual([]);
});
