import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MIGRATIONS } from "./migrations.ts";
import { bulky, entry } from "./testing/entries.ts";
import { numbers, openFor, projectWithLog, tempProject } from "./testing/project.ts";

// A limit on pages makes SQLite fail as it does on a full disk.
const FULL_AT_100_PAGES = [...MIGRATIONS, "PRAGMA max_page_count = 100"];

test("an event for which the disk has no room is refused as disk-full, leaves no trace, and smaller ones still fit", () => {
  const store = openFor(tempProject(), { migrations: FULL_AT_100_PAGES });
  store.append("a", [entry(1)]);
  store.post({ id: "one", loop: "a", body: 1 });
  for (let n = 0; n < 3; n += 1) {
    expect(() => store.append("a", [entry(2), bulky(3, 1_000_000)], { taking: "one" })).toThrow(
      expect.objectContaining({ name: "StoreError", kind: "disk-full", advice: expect.stringContaining("Free") }),
    );
  }
  expect(() => store.post({ id: "two", loop: "a", body: "x".repeat(1_000_000) })).toThrow(
    expect.objectContaining({ kind: "disk-full" }),
  );
  expect(store.takeInbox().map(({ id }) => id)).toEqual(["one"]);
  expect(store.loop("a")).toMatchObject({ stage: "reviewing", lastSeq: 1 });
  expect(store.append("a", [entry(2)], { taking: "one" })).toEqual([2]);
  expect([numbers(store.events("a")), store.check()]).toEqual([[1, 2], []]);
});

test.skipIf(process.platform === "win32")(
  "a write that the system refuses is an io error, and the log holds all that was acknowledged",
  () => {
    const root = projectWithLog();
    const appender = join(import.meta.dirname, "testing", "appender.ts");
    const command = [process.execPath, appender, root, "a", "1000", "20000"];
    const said = execFileSync("/bin/sh", ["-c", 'ulimit -f 1500 && exec "$@"', "sh", ...command], { encoding: "utf8" });
    const lines = said.trim().split("\n");
    const acknowledged = lines.length - 1;
    expect(acknowledged).toBeGreaterThan(0);
    expect(lines.at(-1)).toBe(`io ${3 + acknowledged}`);
    const store = openFor(root);
    expect([store.lastSeq(), store.check()]).toEqual([3 + acknowledged, []]);
    expect(store.append("a", [entry(0)])).toEqual([4 + acknowledged]);
  },
);
