import { coverageOf } from "@anneal/core/unseen";
import { openRepo } from "@anneal/git";
import { describe, expect, test } from "vitest";
import { type Files, makeRepo } from "../../../git/src/testing/make-repo.ts";
import { shownPatch } from "./diff-text.ts";

const LONG = "x".repeat(1024 * 1024 + 1);

/** What a prompt shows of a change, and what it names as left out. */
async function shownOf(before: Files, after: Files) {
  using repo = makeRepo(before);
  const bounds = { base: repo.git("rev-parse", "HEAD"), head: repo.commit(after), headKind: "commit" } as const;
  const opened = await openRepo(repo.dir);
  const change = opened.change(bounds);
  try {
    return { patch: shownPatch(await opened.patch(bounds)), coverage: await coverageOf(change.files()) };
  } finally {
    change.close();
  }
}

describe("a prompt shows git's own patch, and names what is not in it", () => {
  test("text is shown to the letter", async () => {
    const { patch, coverage } = await shownOf({ "a.txt": "1\n" }, { "a.txt": "2" });
    expect(patch).toBe(
      "diff --git a/a.txt b/a.txt\nindex d00491f..d8263ee 100644\n--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+2\n\\ No newline at end of file\n",
    );
    expect(coverage).toEqual({ reviewed: ["a.txt"], skipped: [] });
  });

  test("bytes that are no text are named as git names them, and listed", async () => {
    const { patch, coverage } = await shownOf({ a: "1\n" }, { "logo.png": new Uint8Array([137, 80, 0, 1]) });
    expect(patch).toContain("Binary files /dev/null and b/logo.png differ\n");
    expect(coverage.skipped).toEqual([{ file: "logo.png", reason: "binary" }]);
  });

  test("a file over the limit is named and listed, and its lines are not there", async () => {
    const { patch, coverage } = await shownOf({ a: "1\n" }, { "big.sql": "insert\n".repeat(800_000) });
    expect(patch).toContain("b/big.sql differ\n");
    expect(patch.length).toBeLessThan(1_000);
    expect(coverage.skipped).toEqual([{ file: "big.sql", reason: "larger than 5 MB" }]);
  });

  test.for([
    { what: "one byte each", line: LONG },
    { what: "several bytes each", line: "ü".repeat(600_000) },
  ])(
    "a file with a line that is too long, of $what, is named and listed; its neighbours are whole",
    async ({ line }) => {
      const after = { "a.js": "a\n", "b.min.js": `short\n${line}\n`, "c.js": "diff --git a/x b/x\n" };
      const { patch, coverage } = await shownOf({ "b.min.js": "b\n" }, after);
      expect(patch.length).toBeLessThan(2_000);
      expect(patch).toContain("\n+a\n");
      expect(patch).toContain("\n--- a/b.min.js\n+++ b/b.min.js\n(not shown: line longer than 1 MB)\n");
      expect(patch).toContain("\n+diff --git a/x b/x\n");
      expect(coverage).toEqual({
        reviewed: ["a.js", "c.js"],
        skipped: [{ file: "b.min.js", reason: "line longer than 1 MB" }],
      });
    },
  );

  test("where the last file has the line, and where the first has it", () => {
    const file = (name: string, line: string) =>
      `diff --git a/${name} b/${name}\n+++ b/${name}\n@@ -0,0 +1 @@\n+${line}\n`;
    const left = (name: string) => `diff --git a/${name} b/${name}\n+++ b/${name}\n(not shown: line longer than 1 MB)`;
    expect(shownPatch(file("a", LONG) + file("b", "b"))).toBe(`${left("a")}\n${file("b", "b")}`);
    expect(shownPatch(file("a", "a") + file("b", LONG))).toBe(`${file("a", "a")}${left("b")}`);
  });
});
