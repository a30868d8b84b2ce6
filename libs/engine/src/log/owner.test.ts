import { writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { describe, expect, test } from "vitest";
import { becomeOwner, ownerNote } from "./owner.ts";
import { type Child, startChild } from "./testing/child.ts";
import { inFolder, tempProject } from "./testing/project.ts";

async function contenders(root: string, count: number): Promise<Child[]> {
  const children = Array.from({ length: count }, () => startChild("contender", [root]));
  for (const child of children) expect(await child.next()).toBe("ready");
  return children;
}

async function ask(child: Child | undefined, line: string): Promise<string | null> {
  child?.send(line);
  return (await child?.next()) ?? null;
}

test("of processes that race, exactly one wins, every time", async () => {
  const children = await contenders(tempProject(), 4);
  for (let round = 0; round < 15; round += 1) {
    const results = await Promise.all(children.map((child) => ask(child, "try")));
    expect(results.toSorted()).toEqual(["lost", "lost", "lost", "won"]);
    expect(await ask(children[results.indexOf("won")], "release")).toBe("released");
  }
});

test("when the owner is killed, the next one wins at once", async () => {
  const [first, second] = await contenders(tempProject(), 2);
  expect([await ask(first, "try"), await ask(second, "try")]).toEqual(["won", "lost"]);
  await first?.kill();
  expect(await ask(second, "try")).toBe("won");
});

test.skipIf(process.platform === "win32")(
  "an owner that is stopped still owns, and owns on when it is woken",
  async () => {
    const [first, second] = await contenders(tempProject(), 2);
    expect(await ask(first, "try")).toBe("won");
    first?.process.kill("SIGSTOP");
    expect(await ask(second, "try")).toBe("lost");
    first?.process.kill("SIGCONT");
    expect(await ask(second, "try")).toBe("lost");
    expect(await ask(first, "release")).toBe("released");
    expect(await ask(second, "try")).toBe("won");
  },
);

describe("within one process", () => {
  test("a project has one owner until it is released, and releasing twice is no error", () => {
    const root = tempProject();
    const owner = becomeOwner({ gitDir: root });
    expect(becomeOwner({ gitDir: root })).toBeNull();
    expect(becomeOwner({ gitDir: root })).toBeNull();
    owner?.release();
    const next = becomeOwner({ gitDir: root });
    expect(next).not.toBeNull();
    owner?.release();
    expect(becomeOwner({ gitDir: root })).toBeNull();
    next?.release();
  });

  test("the note says who owns the project, and is gone after the release", () => {
    const root = tempProject();
    expect(ownerNote({ gitDir: root })).toBeNull();
    const owner = becomeOwner({ gitDir: root });
    const startedAt = new Date(performance.timeOrigin).toISOString();
    expect(ownerNote({ gitDir: root })).toEqual({ pid: process.pid, host: hostname(), startedAt });
    owner?.release();
    expect(ownerNote({ gitDir: root })).toBeNull();
  });

  test.for([["nonsense"], ["null"], ["{}"], ['{"pid":1,"host":"h","startedAt":"2030-01-02"}']])(
    "a note left behind (%s) gives nobody the right, nor takes it away",
    ([note = ""]) => {
      const root = tempProject();
      writeFileSync(inFolder(root, "owner.json"), note);
      const owner = becomeOwner({ gitDir: root });
      expect(ownerNote({ gitDir: root })).toMatchObject({ pid: process.pid });
      owner?.release();
    },
  );

  test("a lock file with foreign content is an error by name, not a lost race", () => {
    const root = tempProject();
    writeFileSync(inFolder(root, "lock"), "x".repeat(5_000));
    expect(() => becomeOwner({ gitDir: root })).toThrow(
      expect.objectContaining({ name: "StoreError", kind: "damaged" }),
    );
  });
});
