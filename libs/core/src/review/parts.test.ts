import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { utf8Length } from "../text/utf8-length.ts";
import { PIECE_OVERHEAD_BYTES, planParts } from "./parts.ts";
import { filesOf } from "./patch-files.ts";
import { groupsOf } from "./related-files.ts";

const head = (path: string) => `diff --git a/${path} b/${path}\nindex 1..2 100644\n--- a/${path}\n+++ b/${path}\n`;
const hunk = (start: number, lines: string[]) => `@@ -${start},0 +${start},${lines.length} @@\n${lines.join("")}`;
const lines = (count: number, text = "a line of code") => Array.from({ length: count }, (_, n) => `+${text} ${n}\n`);
const file = (path: string, ...hunks: string[][]) =>
  head(path) + hunks.map((one, n) => hunk(1 + n * 100, one)).join("");

describe("git's patch is cut into its files", () => {
  test.for([
    ["a change", file("src/a.ts", ["+x\n"]), "src/a.ts"],
    ["a new file", "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n", "n"],
    [
      "a deleted file",
      "diff --git a/d b/d\ndeleted file mode 100644\n--- a/d\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n",
      "d",
    ],
    ["a rename alone", "diff --git a/o b/p q\nsimilarity index 100%\nrename from o\nrename to p q\n", "p q"],
    ["a mode alone", "diff --git a/my file b/my file\nold mode 100644\nnew mode 100755\n", "my file"],
    [
      "bytes",
      "diff --git a/b/l.png b/b/l.png\nnew file mode 100644\nBinary files /dev/null and b/b/l.png differ\n",
      "b/l.png",
    ],
    ["a name with a space", "diff --git a/a b b/a b\n--- a/a b\t\n+++ b/a b\t\n@@ -1 +1 @@\n-x\n+y\n", "a b"],
    ["a quoted name", 'diff --git "a/t\\tb" "b/t\\tb"\n--- "a/t\\tb"\n+++ "b/t\\tb"\n@@ -1 +1 @@\n-x\n+y\n', "t\tb"],
    ["a quoted empty file", 'diff --git "a/\\303\\274" "b/\\303\\274"\nnew file mode 100644\n', "ü"],
  ] as const)("%s", ([, patch, path]) => {
    expect(filesOf(patch)).toEqual([{ path, text: patch }]);
    expect(filesOf(file("0", ["+0\n"]) + patch + file("z", ["+z\n"])).map((one) => one.path)).toEqual(["0", path, "z"]);
  });

  test("a line of content that looks like the start of a file is content", () => {
    const patch = file("a", ["+diff --git a/x b/x\n", " @@ -1 +1 @@\n"]);
    expect(filesOf(patch)).toEqual([{ path: "a", text: patch }]);
  });

  test("a file that becomes a link is one file", () => {
    const patch = `${file("a", ["-x\n"])}${file("a", ["+target\n"])}`;
    expect(filesOf(patch)).toEqual([{ path: "a", text: patch }]);
  });
});

describe("files that belong together are kept together", () => {
  test.for([
    [
      ["src/a.test.ts", "src/a.ts", "src/b.ts"],
      [["src/a.test.ts", "src/a.ts"], ["src/b.ts"]],
    ],
    [
      ["src/a.py", "src/b.py", "tests/test_a.py"],
      [["src/a.py", "tests/test_a.py"], ["src/b.py"]],
    ],
    [["src/Cart.java", "test/CartTest.java"], [["src/Cart.java", "test/CartTest.java"]]],
    [
      ["a/x.ts", "b/x.ts", "test/x.test.ts"],
      [["a/x.ts"], ["b/x.ts"], ["test/x.test.ts"]],
    ],
  ] as const)("%j", ([paths, clusters]) => {
    expect(groupsOf(paths).flatMap((group) => group.clusters)).toEqual(clusters);
  });

  test("a folder is not torn where it fits into one call", () => {
    const patch = [file("a/1", lines(30)), file("a/2", lines(20)), file("b/1", lines(20)), file("b/2", lines(20))].join(
      "",
    );
    const room = utf8Length(file("a/1", lines(30)) + file("a/2", lines(20)) + file("b/1", lines(20)));
    expect(planParts({ whole: patch }, room).parts.map((part) => part.map(({ path }) => path))).toEqual([
      ["a/1", "a/2"],
      ["b/1", "b/2"],
    ]);
  });
});

describe("a file that is larger than a call", () => {
  test("is split at its hunks, and each part says which it is", () => {
    const patch = file("big", lines(40), lines(40), lines(40));
    const { parts } = planParts({ whole: patch }, 1_600);
    expect(parts.flat().map(({ number, of, from, text }) => [number, of, from, text.includes("@@ ")])).toEqual([
      [1, 3, undefined, true],
      [2, 3, undefined, true],
      [3, 3, undefined, true],
    ]);
  });

  test("is split at lines where a hunk is too large, and says where it goes on", () => {
    const patch = file("big", ["-old\n", " same\n", ...lines(100)]);
    const { parts } = planParts({ whole: patch }, 1_600);
    const pieces = parts.flat();
    expect(pieces.length).toBeGreaterThan(2);
    for (const { from, text } of pieces.slice(1)) {
      const shownAt = from!.new - 2;
      expect(text.startsWith(`+a line of code ${shownAt}\n`)).toBe(true);
      expect(from!.old).toBe(3);
    }
    expect(pieces.map(({ text }) => text).join("")).toBe(patch);
  });

  test("with a line that no call has room for is named, and its neighbours are shown", () => {
    const patch = file("a", ["+1\n"]) + file("long", [`+${"x".repeat(5_000)}\n`]) + file("z", ["+2\n"]);
    const { parts, tooLong } = planParts({ whole: patch }, 2_000);
    expect(tooLong).toEqual(["long"]);
    expect(parts.flat().map(({ path }) => path)).toEqual(["a", "z"]);
  });
});

test("nothing is lost, doubled or too large, whatever the change is", () => {
  const anyLine = fc
    .tuple(fc.constantFrom("+", "-", " "), fc.string({ maxLength: 60, unit: "grapheme" }))
    .map(([sign, text]) => `${sign}${text.replaceAll(/[\n\r]/g, "")}\n`);
  const anyFile = fc.record({
    path: fc.stringMatching(/^[a-c]\/[a-d](\.test)?\.ts$/),
    hunks: fc.array(fc.array(anyLine, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 }),
  });
  const anyPatch = fc
    .uniqueArray(anyFile, { selector: (one) => one.path, maxLength: 8 })
    .map((files) => files.toSorted((a, b) => (a.path < b.path ? -1 : 1)))
    .map((files) => files.map(({ path, hunks }) => file(path, ...hunks)).join(""));
  fc.assert(
    fc.property(anyPatch, anyPatch, fc.integer({ min: 1_200, max: 6_000 }), (whole, round, room) => {
      const { parts, tooLong } = planParts({ whole, round }, room);
      expect(tooLong).toEqual([]);
      for (const part of parts) {
        const cost = part.reduce(
          (sum, { text, of }) => sum + utf8Length(text) + (of > 1 ? PIECE_OVERHEAD_BYTES : 0),
          0,
        );
        expect(cost).toBeLessThanOrEqual(room);
      }
      for (const [diff, patch] of [
        ["whole", whole],
        ["round", round],
      ] as const) {
        const shown = new Map<string, string>();
        for (const piece of parts.flat().filter((one) => one.diff === diff)) {
          shown.set(piece.path, (shown.get(piece.path) ?? "") + piece.text);
        }
        expect(Object.fromEntries(shown)).toEqual(
          Object.fromEntries(filesOf(patch).map(({ path, text }) => [path, text])),
        );
      }
    }),
    { numRuns: 200 },
  );
});

test("the bytes of a text are counted as UTF-8 has them", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => utf8Length(text) === new TextEncoder().encode(text).length),
  );
  expect(utf8Length("\ud800x")).toBe(4);
});
