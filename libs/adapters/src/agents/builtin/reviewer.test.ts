import { SAFE_REPAIRS } from "@anneal/core/analytics";
import { describe, expect, test, vi } from "vitest";
import type { Change } from "../../ports.ts";
import { builtinReviewer } from "./reviewer.ts";
import { BUILTIN_RULES } from "./rules.ts";
import { changeOf, findingsOf } from "./testing/memory-change.ts";

const go = new AbortController().signal;
const review = (change: Change) => builtinReviewer.review(change, go);

describe("the embedded reviewer", () => {
  test("does not judge requirements and makes no claim", async () => {
    const { report, usage } = await review(changeOf([{ path: "a.ts", after: "a();\n" }]));
    expect(builtinReviewer.requirements).toBe("not-judged");
    expect(report).toEqual({
      status: "complete",
      claim: null,
      findings: [],
      summary: `Checked 1 file with ${BUILTIN_RULES.length} rules: nothing found. Requirements were not judged.`,
      rulings: [],
      notes: [],
    });
    expect(usage).toEqual({});
  });

  test("finds nothing in a change with nothing wrong", async () => {
    const edits = [
      {
        path: "src/cart.ts",
        before: "export const a = 1;\n",
        after:
          "/** Sums. */\nexport function total(items: number[]): number {\n  return items.reduce((sum, item) => sum + item, 0);\n}\n",
      },
      {
        path: "src/cart.test.ts",
        after:
          'import { expect, test } from "vitest";\n\ntest("sums up", () => {\n  expect(total([1, 2])).toBe(3);\n});\n',
      },
      { path: "package.json", before: '{"a": 1}\n', after: '{"a": 2}\n' },
      { path: "README.md", after: "# Cart\n\nHeading\n=======\n" },
      { path: ".github/workflows/ci.yml", after: "on: push\njobs:\n  a:\n    runs-on: x\n" },
      { path: "app/größe.py", after: "def f():\n    return 'ü'" },
    ];
    expect(await findingsOf(edits)).toEqual([]);
  });

  test("finds a secret, a focus, a conflict and a broken file on their lines, and nothing else", async () => {
    const token = ["ghp", "_wWPw5k4aXcaT4fNP", "0UcnZwJUVFk6LO0pINUx"].join("");
    const conflict = [`${"<".repeat(7)} HEAD`, "a = 1", "=".repeat(7), "a = 2", `${">".repeat(7)} x`].join("\n");
    const findings = await findingsOf([
      { path: "src/a.ts", before: "x();\n", after: `x();\nconst t = "${token}";\n` },
      { path: "src/a.test.ts", before: 'it("a", f);\n', after: `it${".only"}("a", f);\n` },
      { path: "src/b.py", before: "\n\n", after: `\n\n${conflict}\n` },
      { path: "c.json", before: '{"a": 1}\n', after: '{\n"a": 1,\n}\n' },
    ]);
    expect(findings.map((one) => [one.rule, one.file, one.line, one.endLine])).toEqual([
      ["secret", "src/a.ts", 2, 2],
      ["focused-test", "src/a.test.ts", 1, 1],
      ["conflict-marker", "src/b.py", 3, 7],
      ["broken-data-file", "c.json", 2, 2],
    ]);
  });

  test("gives every finding its reason and a way out", async () => {
    for (const finding of await findingsOf([{ path: "src/a.ts", after: "debugger;\n// TO" + "DO x\n" }]))
      for (const part of [finding.title, finding.description, finding.impact, finding.suggestion])
        expect(part).toMatch(/\w{3,}/);
  });

  test("lists each file as reviewed or as skipped with its reason", async () => {
    const { coverage, report } = await review(
      changeOf([
        { path: "a.ts", after: "a();\n" },
        { path: "gone.ts", before: "a();\n" },
        { path: "package-lock.json", after: "{}\n" },
        { path: "vendor/a.go", after: "package a\n" },
        { path: "vendor/notes.md", after: "Notes.\n" },
        { path: "pb.ts", after: "// @generated\ndebugger;\n" },
        { path: "logo.png", after: "", skipped: "binary" },
        { path: "huge.sql", after: "", skipped: "too large" },
      ]),
    );
    expect(coverage).toEqual({
      reviewed: ["a.ts", "gone.ts", "vendor/notes.md"],
      skipped: [
        { file: "package-lock.json", reason: "a lock file" },
        { file: "vendor/a.go", reason: "generated or vendored, as its name says" },
        { file: "pb.ts", reason: "generated, as the file itself says" },
        { file: "logo.png", reason: "binary" },
        { file: "huge.sql", reason: "too large" },
      ],
    });
    expect(report).toMatchObject({ summary: expect.stringContaining("Checked 3 files, 5 skipped") });
  });

  test("a rename, a change of mode and an empty file hide nothing, so they count as reviewed", async () => {
    const { coverage } = await review(
      changeOf([
        { path: "b.ts", oldPath: "a.ts", before: "a();\n", after: "a();\n", skipped: "renamed only" },
        { path: "run.sh", before: "a\n", after: "a\n", mode: "100755", skipped: "mode change only" },
        { path: "empty.ts", after: "", skipped: "empty file" },
      ]),
    );
    expect(coverage).toEqual({ reviewed: ["b.ts", "run.sh", "empty.ts"], skipped: [] });
  });

  test("still looks at the hunks when the whole text cannot be read", async () => {
    const change = changeOf(
      [{ path: "src/a.ts", before: "a();\n".repeat(20), after: `${"a();\n".repeat(20)}debugger;\n` }],
      { readable: false },
    );
    expect((await review(change)).report).toMatchObject({ findings: [{ rule: "debug-leftover", line: 21 }] });
  });

  test.for([
    { what: "an empty change", change: changeOf([]), reason: "nothing to review" },
    {
      what: "a change that cannot be read at all",
      change: changeOf([{ path: "a.png", after: "", skipped: "binary" }]),
      reason: "none of the changed files",
    },
  ])("is inconclusive about $what, now and when asked again", async ({ change, reason }) => {
    expect(await review(change)).toMatchObject({
      report: { status: "inconclusive", reason: expect.stringContaining(reason) },
      lasting: true,
    });
  });

  test("a file that a rule breaks on blocks, and the other files are still checked", async () => {
    const change = changeOf([
      { path: "a.json", before: "1\n", after: "2\n" },
      { path: "b.test.ts", after: 'test.only("x", () => {});\n' },
    ]);
    const { report, coverage } = await review({ ...change, content: () => Promise.reject(new Error("git died")) });
    expect(report).toMatchObject({ status: "complete" });
    const found = report.status === "complete" ? report.findings : [];
    expect(found.map(({ rule, severity, file }) => `${rule} ${severity} ${file}`)).toContain(
      "unreviewable high a.json",
    );
    expect(coverage.reviewed.length + coverage.skipped.length).toBe(2);
  });

  test("stops on request", async () => {
    const change = changeOf([{ path: "a.ts", after: "a();\n" }]);
    await expect(builtinReviewer.review(change, AbortSignal.abort(new Error("stop")))).rejects.toThrow("stop");
  });

  test("does not read the text of files whose changed lines hold no hint", async () => {
    const change = changeOf([
      { path: "src/a.ts", before: "a();\n", after: "b();\n" },
      { path: "a.test.ts", before: "const a = 1;\n", after: "const a = 2;\n" },
    ]);
    const content = vi.fn(change.content);
    await review({ ...change, content });
    expect(content).not.toHaveBeenCalled();
  });

  test("shows a few words of a very long line, with the secret in it masked", async () => {
    const token = ["ghp", "_wWPw5k4aXcaT4fNP", "0UcnZwJUVFk6LO0pINUx"].join("");
    const [found] = await findingsOf([
      { path: "src/a.min.js", after: `${"a();".repeat(900)}t("${token}");${"b();".repeat(900)}\n` },
    ]);
    expect(found?.snippet).toHaveLength(200);
    expect(found?.snippet).toContain('t("ghp_****");');
  });

  test.for([
    { what: "a text of spaces", text: `const a = \`${" ".repeat(200_000)}\`;\nit${".only"}("a", f);\n` },
    { what: "blank lines", text: `${"\n".repeat(100_000)}console.log(1); try {} catch {}\n` },
    { what: "a banner of slashes", text: `${"/".repeat(900)}x ${"@ts-"}ignore\n` },
    { what: "brackets without end", text: `${'it("a", '.repeat(20_000)}\n` },
    { what: "an address without end", text: `x://${"a:".repeat(50_000)}\n` },
  ])("gets through $what without losing itself", async ({ text }) => {
    expect((await review(changeOf([{ path: "src/a.test.ts", after: text }]))).report.status).toBe("complete");
  });

  test("the same change twice gives the same answer", async () => {
    const change = changeOf([
      { path: "src/a.ts", after: "debugger;\n" },
      { path: "a.test.ts", before: 'it("a", f);\n', after: "x();\n" },
    ]);
    expect(await review(change)).toEqual(await review(change));
  });
});

test("every rule has its own name and says what it does", () => {
  expect(new Set(BUILTIN_RULES.map(({ id }) => id)).size).toBe(BUILTIN_RULES.length);
  for (const { about, impact, suggestion } of BUILTIN_RULES)
    for (const text of [about, impact, suggestion]) expect(text).toMatch(/\.$/);
});

test.for([
  ["conflict-marker", "critical", "person"],
  ["secret", "critical", "person"],
  ["focused-test", "high", "safe"],
  ["skipped-test", "high", "person"],
  ["test-removed", "high", "person"],
  ["assertions-removed", "high", "person"],
  ["broken-data-file", "high", "safe"],
  ["debug-leftover", "medium", "safe"],
  ["suppression-added", "medium", "person"],
  ["swallowed-exception", "medium", "person"],
  ["todo-without-ticket", "low", "person"],
])("the rule %s is %s and fixed by: %s", ([id, severity, fix]) => {
  expect(BUILTIN_RULES.find((rule) => rule.id === id)).toMatchObject({ severity, fix });
});

test("the analytics count what is repaired without judgement as trivial", () => {
  const safe = BUILTIN_RULES.filter(({ fix }) => fix === "safe").map(({ id }) => id);
  expect(safe.toSorted()).toEqual(SAFE_REPAIRS.toSorted());
});
