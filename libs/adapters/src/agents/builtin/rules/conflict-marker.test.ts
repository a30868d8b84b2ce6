import { describe, expect, test } from "vitest";
import { findingsOf, seen } from "../testing/memory-change.ts";

const ours = `${"<".repeat(7)} HEAD`;
const middle = "=".repeat(7);
const theirs = `${">".repeat(7)} feature/cart`;
const conflict = [ours, "const a = 1;", middle, "const a = 2;", theirs].join("\n");

describe("conflict-marker reports", () => {
  test.for([
    { what: "a conflict in code", path: "src/a.ts", after: `let x;\n${conflict}\n`, at: [2] },
    { what: "a conflict in a lock file", path: "package-lock.json5", after: `${conflict}\n`, at: [1] },
    { what: "a conflict in a vendored file", path: "vendor/a.go", after: `${conflict}\n`, at: [1] },
    { what: "a conflict in CRLF text", path: "a.txt", after: `a\r\n${conflict.replaceAll("\n", "\r\n")}\r\n`, at: [2] },
    { what: "a conflict without a final newline", path: "a.py", after: conflict, at: [1] },
    { what: "two conflicts", path: "a.rb", after: `${conflict}\n\n${conflict}\n`, at: [1, 7] },
    {
      what: "a three-way conflict with the common base",
      path: "a.c",
      after: [ours, "a", `${"|".repeat(7)} base`, "b", middle, "c", theirs].join("\n"),
      at: [1],
    },
    { what: "a conflict in the prose of a document", path: "README.md", after: `# Título\n\n${conflict}\n`, at: [3] },
    {
      what: "a conflict inside a template of production code",
      path: "src/sql.ts",
      after: `const q = \`\n${conflict}\n\`;\n`,
      at: [2],
    },
  ])("$what", async ({ path, after, at }) => {
    expect(await seen([{ path, after }], "conflict-marker")).toEqual(at.map((line) => `conflict-marker@${line}`));
  });

  test("from the first marker to the last, as critical", async () => {
    const [found] = await findingsOf([{ path: "src/a.ts", before: "let x;\n", after: `let x;\n${conflict}\n` }]);
    expect(found).toMatchObject({ severity: "critical", category: "logic", line: 2, endLine: 6, snippet: ours });
  });
});

describe("conflict-marker is silent about", () => {
  test.for([
    { what: "a heading underlined with seven signs", path: "README.md", after: `Heading\n${middle}\n\ntext\n` },
    { what: "a heading in reStructuredText", path: "docs/a.rst", after: `Heading\n${middle}\n` },
    { what: "a conflict quoted in a code fence", path: "docs/git.md", after: `\`\`\`\n${conflict}\n\`\`\`\n` },
    { what: "indented markers", path: "docs/git.txt", after: conflict.replaceAll(/^/gm, "    ") },
    {
      what: "markers inside strings",
      path: "src/a.ts",
      after: `const a = "${ours}";\nconst b = "${middle}";\nconst c = "${theirs}";\n`,
    },
    { what: "a fixture in a test's template", path: "src/a.test.ts", after: `const text = \`\n${conflict}\n\`;\n` },
    { what: "a fixture file about conflicts", path: "tests/fixtures/merge-conflict.txt", after: conflict },
    { what: "an opening marker alone", path: "a.txt", after: `${ours}\ntext\n` },
    { what: "markers in the wrong order", path: "a.txt", after: `${theirs}\n${middle}\n${ours}\n` },
    {
      what: "longer runs of the same signs",
      path: "a.txt",
      after: `${"<".repeat(9)}\n${"=".repeat(9)}\n${">".repeat(9)}\n`,
    },
    { what: "markers without a label", path: "a.txt", after: `${"<".repeat(7)}\n${middle}\n${">".repeat(7)}\n` },
    {
      what: "a conflict that was there before",
      path: "a.txt",
      before: `${conflict}\nold\n`,
      after: `${conflict}\nnew\n`,
    },
    { what: "a conflict that the change resolves", path: "a.txt", before: `${conflict}\n`, after: "const a = 2;\n" },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "conflict-marker")).toEqual([]);
  });
});
