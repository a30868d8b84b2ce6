import { describe, expect, test } from "vitest";
import { startChild } from "./testing/child.ts";
import { entry } from "./testing/entries.ts";
import { openFor, projectWithLog, tempProject } from "./testing/project.ts";

describe("what a loop's files tell of", () => {
  test("is nothing at first, then what was noted last, and never less", () => {
    const store = openFor(tempProject());
    expect(store.projected("a")).toBe(0);
    store.append("a", [entry(1), entry(2)]);
    expect(store.projected("a")).toBe(0);
    store.markProjected("a", 2);
    store.markProjected("a", 1);
    expect(store.projected("a")).toBe(2);
  });

  test("those loops are behind whose log has gone on since, oldest first, ended ones too", () => {
    const store = openFor(tempProject());
    for (const loop of ["z", "m", "a"]) store.append(loop, [entry(1)]);
    for (const loop of ["z", "m", "a"]) store.markProjected(loop, store.lastSeq());
    expect(store.behind()).toEqual([]);
    store.append("a", [entry(2, "ended")]);
    store.append("z", [entry(3)]);
    expect(store.behind().map(({ loop }) => loop)).toEqual(["z", "a"]);
    expect(store.behind()[1]).toEqual(store.loop("a"));
    store.markProjected("z", store.lastSeq());
    expect(store.behind().map(({ loop }) => loop)).toEqual(["a"]);
  });

  test("an event that came while the files were written leaves the loop behind", () => {
    const store = openFor(tempProject());
    const [first = 0] = store.append("a", [entry(1)]);
    store.append("a", [entry(2)]);
    store.markProjected("a", first);
    expect(store.behind().map(({ loop }) => loop)).toEqual(["a"]);
  });

  test("a note on a loop that does not exist is nothing", () => {
    const store = openFor(tempProject());
    store.markProjected("nobody", 5);
    expect([store.projected("nobody"), store.behind()]).toEqual([0, []]);
  });

  test("a reader sees it and may not note anything", () => {
    const root = projectWithLog();
    const reader = openFor(root, { readOnly: true });
    expect(reader.behind().map(({ loop }) => loop)).toEqual(["a"]);
    expect(() => reader.markProjected("a", 3)).toThrow(expect.objectContaining({ kind: "read-only" }));
  });

  test.for([
    ["log.append.before:2", 1, []],
    ["log.append.after:2", 1, ["a"]],
    ["log.mark.before:2", 1, ["a"]],
    ["log.mark.after:2", 2, []],
  ] as const)("killed at %s, the files tell of event %i and %o is behind", async ([point, projected, behind]) => {
    const root = tempProject();
    const child = startChild("marker", [root], { ANNEAL_FAILPOINT: point });
    expect((await child.end()).signal).toBe("SIGKILL");
    const store = openFor(root);
    expect(store.projected("a")).toBe(projected);
    expect(store.behind().map(({ loop }) => loop)).toEqual(behind);
  });

  test("where there is no write-ahead log it is kept all the same", () => {
    const root = tempProject();
    const diskType = () => 0x6969;
    const store = openFor(root, { diskType });
    store.append("a", [entry(1)]);
    store.markProjected("a", 1);
    store.append("b", [entry(2)]);
    store.close();
    const again = openFor(root, { diskType });
    expect([again.projected("a"), again.behind().map(({ loop }) => loop)]).toEqual([1, ["b"]]);
  });
});
