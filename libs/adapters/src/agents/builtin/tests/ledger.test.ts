import { describe, expect, test } from "vitest";
import { builtinReviewer } from "../reviewer.ts";
import { changeOf, type Edit, findingsOf } from "../testing/memory-change.ts";

const adds =
  'test("adds numbers", () => {\n  const sum = add(1, 2);\n  expect(sum).toBe(3);\n  expect(add(0, 0)).toBe(0);\n});\n';
const divides =
  'test("divides numbers", () => {\n  expect(() => divide(1, 0)).toThrow(RangeError);\n  expect(divide(8, 2)).toBe(4);\n});\n';
const head = 'import { test, expect } from "vitest";\n\n';

async function removed(edits: Edit[], rule: string): Promise<(string | number | undefined)[][]> {
  const findings = await findingsOf(edits);
  return findings.filter((one) => one.rule === rule).map((one) => [one.file, one.line, one.title]);
}

describe("test-removed reports", () => {
  test.for([
    {
      what: "a test that is gone, at the line where it was",
      edits: [{ path: "a.test.ts", before: `${head}${adds}${divides}`, after: `${head}${divides}` }],
      found: [["a.test.ts", 3, 'The test "adds numbers" is gone']],
    },
    {
      what: "a test that is now a comment",
      edits: [{ path: "a.test.ts", before: `${head}${adds}`, after: `${head}${adds.replaceAll(/^/gm, "// ")}` }],
      found: [["a.test.ts", 3, 'The test "adds numbers" is gone']],
    },
    {
      what: "a test of CRLF text without a final newline",
      edits: [
        {
          path: "a.test.ts",
          before: `${head}${divides}${adds}`.replaceAll("\n", "\r\n"),
          after: `${head}${divides}`.replaceAll("\n", "\r\n").trimEnd(),
        },
      ],
      found: [["a.test.ts", 6, 'The test "adds numbers" is gone']],
    },
    {
      what: "a deleted test file once",
      edits: [{ path: "a.test.ts", before: `${head}${adds}${divides}` }],
      found: [["a.test.ts", undefined, "A test file is gone"]],
    },
    {
      what: "a test whose name stays only in another test's body",
      edits: [
        {
          path: "test_a.py",
          before: "def test_a():\n    assert f() == 1\n\ndef test_b():\n    assert g() == 2\n",
          after: "def test_b():\n    assert g() == 2\n",
        },
      ],
      found: [["test_a.py", 1, 'The test "test_a" is gone']],
    },
    {
      what: "a Go test",
      edits: [
        {
          path: "a_test.go",
          before: 'func TestA(t *testing.T) {\n\tt.Fatal("x")\n}\nfunc TestB(t *testing.T) {}\n',
          after: "func TestB(t *testing.T) {}\n",
        },
      ],
      found: [["a_test.go", 1, 'The test "TestA" is gone']],
    },
    {
      what: "a Rust test in a source file",
      edits: [
        {
          path: "src/lib.rs",
          before: "fn f() {}\n#[test]\nfn works() {\n    assert!(true);\n}\n",
          after: "fn f() {}\n",
        },
      ],
      found: [["src/lib.rs", 1, 'The test "works" is gone']],
    },
    {
      what: "a JUnit test",
      edits: [
        {
          path: "ATest.java",
          before: "class ATest {\n  @Test\n  void works() {\n    assertTrue(x);\n  }\n}\n",
          after: "class ATest {\n}\n",
        },
      ],
      found: [["ATest.java", 2, 'The test "works" is gone']],
    },
    {
      what: "an RSpec example",
      edits: [
        {
          path: "a_spec.rb",
          before: 'describe A do\n  it "works" do\n    expect(x).to be 1\n  end\nend\n',
          after: "describe A do\nend\n",
        },
      ],
      found: [["a_spec.rb", 2, 'The test "works" is gone']],
    },
    {
      what: "one of two tests with the same name",
      edits: [{ path: "a.test.ts", before: adds + adds, after: adds }],
      found: [["a.test.ts", 5, 'The test "adds numbers" is gone']],
    },
    {
      what: "a test whose name stays half, with another body",
      edits: [
        {
          path: "a.test.ts",
          before: 'test("adds big numbers", () => {\n  expect(add(1e9, 1e9)).toBe(2e9);\n});\n',
          after:
            'test("adds big words", async () => {\n  const page = await open("/");\n  expect(page.title).toMatch(/x/);\n});\n',
        },
      ],
      found: [["a.test.ts", 1, 'The test "adds big numbers" is gone']],
    },
    {
      what: "a test replaced by one about something else",
      edits: [{ path: "a.test.ts", before: adds, after: divides }],
      found: [["a.test.ts", 1, 'The test "adds numbers" is gone']],
    },
  ])("$what", async ({ edits, found }) => {
    expect(await removed(edits, "test-removed")).toEqual(found);
  });

  test("a test file renamed to what no runner looks for, even without a change inside", async () => {
    const edits = [{ path: "a.test.ts.off", oldPath: "a.test.ts", before: adds, after: adds, skipped: "renamed only" }];
    expect(await removed(edits, "test-removed")).toEqual([["a.test.ts.off", undefined, "A test file is gone"]]);
  });

  test("many tests of one file in one finding", async () => {
    const many = Array.from(
      { length: 7 },
      (_, index) => `test("case ${index}", () => {\n  expect(f${index}()).toBe(${index});\n});\n`,
    ).join("");
    const found = await removed(
      [{ path: "a.test.ts", before: head + many + divides, after: head + divides }],
      "test-removed",
    );
    expect(found).toEqual([["a.test.ts", 3, "7 tests are gone"]]);
  });

  test("a test inside another one once, and not as lost assertions of the outer one too", async () => {
    const inner = '\tt.Run("inner", func(t *testing.T) {\n\t\tassert.Equal(t, 1, f())\n\t})\n';
    const outer = (body: string) => `func TestA(t *testing.T) {\n${body}\tassert.True(t, g())\n}\n`;
    const found = await findingsOf([{ path: "a_test.go", before: outer(inner), after: outer("") }]);
    expect(found.map((one) => one.title)).toEqual(['The test "inner" is gone']);
  });

  test("a deleted test file whose text cannot be read", async () => {
    const change = changeOf(
      [
        { path: "a.ts", after: "x();\n" },
        { path: "a.test.ts", before: adds },
      ],
      { readable: false },
    );
    const { report } = await builtinReviewer.review(change, new AbortController().signal);
    expect(report).toMatchObject({ findings: [{ rule: "test-removed", severity: "high", file: "a.test.ts" }] });
  });
});

describe("test-removed is silent about", () => {
  const renamed = adds.replace("adds numbers", "sums up");
  test.for<{ what: string; edits: Edit[] }>([
    { what: "a renamed test", edits: [{ path: "a.test.ts", before: adds, after: renamed }] },
    {
      what: "a renamed test whose body was rewritten",
      edits: [
        {
          path: "test_a.py",
          before:
            "def test_shows_custom_default_in_prompt():\n    out = run(prompt, default=1)\n    assert 'custom' in out\n",
          after:
            "@pytest.mark.parametrize('value', [1, 2])\ndef test_shows_default_in_prompt(value):\n    result = run(prompt, default=value)\n    assert str(value) in result\n    assert result\n",
        },
      ],
    },
    {
      what: "a test moved to another file",
      edits: [
        { path: "a.test.ts", before: adds + divides, after: divides },
        { path: "b.test.ts", after: adds },
      ],
    },
    {
      what: "a test moved to a file that comes first",
      edits: [
        { path: "0.test.ts", after: adds },
        { path: "a.test.ts", before: adds + divides, after: divides },
      ],
    },
    { what: "a renamed file", edits: [{ path: "b.test.ts", oldPath: "a.test.ts", before: adds, after: adds }] },
    {
      what: "a deleted file whose tests live on elsewhere",
      edits: [
        { path: "a.test.ts", before: adds },
        { path: "c/a.test.ts", after: `${head}${adds}` },
      ],
    },
    {
      what: "a test moved and renamed",
      edits: [
        { path: "a.test.ts", before: adds },
        { path: "b.test.ts", after: renamed },
      ],
    },
    {
      what: "tests that become rows of a table",
      edits: [
        {
          path: "a.test.ts",
          before: adds,
          after:
            'test.for([\n  { name: "adds numbers", of: [1, 2], is: 3 },\n])("$name", ({ of, is }) => {\n  expect(add(...of)).toBe(is);\n});\n',
        },
      ],
    },
    {
      what: "a test that is now skipped, which another rule reports",
      edits: [{ path: "a.test.ts", before: adds, after: adds.replace("test(", "test.skip(") }],
    },
    {
      what: "a test that changes inside",
      edits: [{ path: "a.test.ts", before: adds, after: adds.replace("toBe(3)", "toEqual(3)") }],
    },
    {
      what: "a test that moves into a suite",
      edits: [
        { path: "a.test.ts", before: adds, after: `describe("x", () => {\n${adds.replaceAll(/^(?=.)/gm, "  ")}});\n` },
      ],
    },
    {
      what: "a test in quotes of another kind",
      edits: [{ path: "a.test.ts", before: adds, after: adds.replace('"adds numbers"', "'adds numbers'") }],
    },
    {
      what: "a test named in a string only",
      edits: [{ path: "a.test.ts", before: `const s = \`${adds}\`;\n${divides}`, after: divides }],
    },
    {
      what: "a regular expression's test call",
      edits: [{ path: "a.test.ts", before: `const a = /x/.test("adds");\n${divides}`, after: divides }],
    },
    { what: "source that is not a test", edits: [{ path: "src/runner.ts", before: adds, after: "x();\n" }] },
    { what: "a deleted helper", edits: [{ path: "tests/helper.ts", before: "export const a = 1;\n" }] },
    { what: "a deleted fixture", edits: [{ path: "tests/fixtures/a.test.ts", before: adds }] },
    { what: "a new test file", edits: [{ path: "a.test.ts", after: adds }] },
    {
      what: "a Python test moved into a class",
      edits: [
        {
          path: "test_a.py",
          before: "def test_a():\n    assert f() == 1\n",
          after: "class TestA:\n    def test_a(self):\n        assert f() == 1\n",
        },
      ],
    },
  ])("$what", async ({ edits }) => {
    expect(await removed(edits, "test-removed")).toEqual([]);
  });

  test("tests that go with the code they tested, but notes it", async () => {
    const change = changeOf([
      { path: "src/math.ts", before: "x\n" },
      { path: "src/math.test.ts", before: adds },
    ]);
    const { report } = await builtinReviewer.review(change, new AbortController().signal);
    expect(report).toMatchObject({
      findings: [],
      notes: ["1 test removed together with the code under test: src/math.test.ts"],
    });
  });

  test("nothing of the kind where only words of that name go", async () => {
    const edits = [
      { path: "notes/math.md", before: "x\n" },
      { path: "src/math.test.ts", before: adds },
    ];
    const { report } = await builtinReviewer.review(changeOf(edits), new AbortController().signal);
    expect(report).toMatchObject({ findings: [{ title: "A test file is gone" }], notes: [] });
  });
});

describe("assertions-removed reports", () => {
  test.for([
    {
      what: "a test that lost an assertion",
      path: "a.test.ts",
      before: head + adds,
      after: head + adds.replace("  expect(sum).toBe(3);\n", ""),
      line: 3,
    },
    {
      what: "an assertion that is now a comment",
      path: "a.test.ts",
      before: adds,
      after: adds.replace("  expect(sum)", "  // expect(sum)"),
      line: 1,
    },
    {
      what: "a test that lost all of them",
      path: "a.test.ts",
      before: adds,
      after: 'test("adds numbers", () => {\n  add(1, 2);\n});\n',
      line: 1,
    },
    {
      what: "a weaker test next to a new one",
      path: "a.test.ts",
      before: adds,
      after: adds.replace("  expect(sum).toBe(3);\n", "") + divides,
      line: 1,
    },
    {
      what: "a renamed and weaker test",
      path: "a.test.ts",
      before: adds,
      after: adds.replace("adds", "sums").replace("  expect(sum).toBe(3);\n", ""),
      line: 1,
    },
    {
      what: "a Python test",
      path: "test_a.py",
      before: "def test_a():\n    x = f()\n    assert x\n    assert x.y == 1\n",
      after: "def test_a():\n    x = f()\n    assert x\n",
      line: 1,
    },
    {
      what: "a Go test",
      path: "a_test.go",
      before: 'func TestA(t *testing.T) {\n\tif f() != 1 {\n\t\tt.Fatal("f")\n\t}\n\tt.Log(1)\n}\n',
      after: "func TestA(t *testing.T) {\n\tf()\n\tt.Log(1)\n}\n",
      line: 1,
    },
    {
      what: "a Rust test",
      path: "src/a.rs",
      before: "#[test]\nfn a() {\n    assert_eq!(f(), 1);\n    assert!(g());\n}\n",
      after: "#[test]\nfn a() {\n    assert!(g());\n}\n",
      line: 1,
    },
  ])("$what", async ({ path, before, after, line }) => {
    const found = (await findingsOf([{ path, before, after }])).filter((one) => one.rule === "assertions-removed");
    expect(found).toMatchObject([{ severity: "high", category: "testing", line }]);
  });
});

describe("assertions-removed is silent about", () => {
  test.for([
    { what: "an assertion that changed", before: adds, after: adds.replace("toBe(3)", "toEqual(3)") },
    { what: "more assertions", before: adds, after: adds.replace("});", "  expect(add(2, 2)).toBe(4);\n});") },
    {
      what: "an assertion moved to another test",
      before: adds + divides,
      after: adds.replace("  expect(sum).toBe(3);\n", "") + divides.replace("});", "  expect(sum).toBe(3);\n});"),
    },
    {
      what: "an assertion moved into a helper",
      before: adds,
      after: `function check(sum: number) {\n  expect(sum).toBe(3);\n}\n${adds.replace("expect(sum).toBe(3)", "check(sum)")}`,
    },
    {
      what: "narrow assertions replaced by one about the whole value",
      before: adds,
      after: 'test("adds numbers", () => {\n  expect([add(1, 2), add(0, 0)]).toEqual([3, 0]);\n});\n',
    },
    {
      what: "an assertion replaced by a helper that asserts",
      before: adds,
      after: adds.replace("expect(sum).toBe(3)", "expectSum(sum, 3)"),
    },
    {
      what: "a matcher that is only an argument",
      before: adds.replace("toBe(3)", "toEqual(expect.any(Number))"),
      after: adds,
    },
    {
      what: "a removed comment with an assertion in it",
      before: adds.replace("  expect(sum)", "  // expect(x).toBe(1);\n  expect(sum)"),
      after: adds,
    },
    { what: "an assertion in a string", before: adds.replace("add(1, 2)", 'add(1, 2, "expect(x)")'), after: adds },
    {
      what: "reformatted assertions",
      before: adds,
      after: adds.replace("expect(sum).toBe(3)", "expect(\n    sum,\n  ).toBe(3)"),
    },
    { what: "a whole test removed, which the other rule reports", before: adds + divides, after: divides },
  ])("$what", async ({ before, after }) => {
    expect(await removed([{ path: "a.test.ts", before, after }], "assertions-removed")).toEqual([]);
  });

  test("assertions that now stand in a test inside the test", async () => {
    const before = "func TestA(t *testing.T) {\n\tassert.Equal(t, 1, f())\n}\n";
    const after =
      'func TestA(t *testing.T) {\n\tt.Run("one", func(t *testing.T) {\n\t\tassert.Equal(t, 1, f())\n\t})\n}\n';
    expect(await findingsOf([{ path: "a_test.go", before, after }])).toEqual([]);
  });

  test("source that is not a test", async () => {
    const edit = { path: "src/a.ts", before: "assert(a);\nassert(b);\n", after: "assert(a);\n" };
    expect(await findingsOf([edit])).toEqual([]);
  });
});
