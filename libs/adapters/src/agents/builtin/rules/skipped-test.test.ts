import { describe, expect, test } from "vitest";
import { findingsOf, seen } from "../testing/memory-change.ts";

const skip = ".skip";

describe("skipped-test reports as high", () => {
  test.for([
    { what: "a skipped test", path: "a.test.ts", after: `x();\nit${skip}("adds", f);\n`, at: 2 },
    { what: "a skipped suite", path: "a.spec.tsx", after: `describe${skip}("cart", f);\n`, at: 1 },
    { what: "a skipped table", path: "a.test.ts", after: `test${skip}.each([1])("a", f);\n`, at: 1 },
    { what: "a skip in CRLF text without a final newline", path: "a.test.ts", after: `\r\nit${skip}("ü", f);`, at: 2 },
    { what: "the short form", path: "a.test.ts", after: 'xit("a", f);\n', at: 1 },
    { what: "the short form of a suite", path: "a.test.ts", after: 'xdescribe("a", f);\n', at: 1 },
    { what: "a skip as an option", path: "a.test.mjs", after: 'test("a", { skip: true }, f);\n', at: 1 },
    { what: "a skip from inside", path: "a.test.js", after: 'it("a", function () {\n  this.skip();\n});\n', at: 2 },
    { what: "a broken Playwright test", path: "a.spec.ts", after: 'test.fixme("a", f);\n', at: 1 },
    {
      what: "a pytest mark",
      path: "test_a.py",
      after: '@pytest.mark.skip(reason="later")\ndef test_a(): ...\n',
      at: 1,
    },
    {
      what: "a unittest decorator",
      path: "test_a.py",
      after: '@unittest.skip("later")\ndef test_a(self): ...\n',
      at: 1,
    },
    { what: "an unconditional pytest.skip", path: "test_a.py", after: 'def test_a():\n    pytest.skip("x")\n', at: 2 },
    { what: "a Go skip", path: "a_test.go", after: 'func TestA(t *testing.T) {\n\tt.Skip("later")\n}\n', at: 2 },
    { what: "a pending Ginkgo test", path: "a_test.go", after: 'PIt("a", func() {})\n', at: 1 },
    {
      what: "an ignored Rust test in a source file",
      path: "src/lib.rs",
      after: "#[test]\n#[ignore]\nfn a() {}\n",
      at: 2,
    },
    { what: "a disabled JUnit test", path: "src/test/java/ATest.java", after: "@Disabled\n@Test void a() {}\n", at: 1 },
    { what: "an ignored JUnit 4 test", path: "ATest.java", after: '@Ignore("later")\n', at: 1 },
    { what: "a skipped RSpec example", path: "a_spec.rb", after: '  xit "a" do\n', at: 1 },
    { what: "a skipped xUnit fact", path: "ATests.cs", after: '[Fact(Skip = "later")]\n', at: 1 },
    {
      what: "a skipped PHPUnit test",
      path: "ATest.php",
      after: "function testA() {\n  $this->markTestSkipped('x');\n}\n",
      at: 2,
    },
  ])("$what", async ({ path, after, at }) => {
    const found = (await findingsOf([{ path, after }])).filter((one) => one.rule === "skipped-test");
    expect(found.map((one) => [one.line, one.severity])).toEqual([[at, "high"]]);
  });
});

describe("skipped-test reports as medium", () => {
  test.for([
    { what: "a skip by condition", path: "a.test.ts", after: 'it.skipIf(win)("a", f);\n', at: 1 },
    {
      what: "a Playwright skip by browser",
      path: "a.spec.ts",
      after: `test${skip}(browser === "firefox", "slow");\n`,
      at: 1,
    },
    {
      what: "a skip inside an if",
      path: "a.test.js",
      after: 'it("a", function () {\n  if (win) {\n    this.skip();\n  }\n});\n',
      at: 3,
    },
    {
      what: "a skip behind an if",
      path: "a.test.js",
      after: 'it("a", function () {\n  if (win) this.skip();\n});\n',
      at: 2,
    },
    { what: "skipif", path: "test_a.py", after: '@pytest.mark.skipif(win, reason="x")\n', at: 1 },
    { what: "skipUnless", path: "test_a.py", after: '@unittest.skipUnless(win, "x")\n', at: 1 },
    {
      what: "pytest.skip under a condition",
      path: "test_a.py",
      after: 'def test_a():\n    if win:\n        pytest.skip("x")\n',
      at: 3,
    },
    {
      what: "a Go skip in short mode",
      path: "a_test.go",
      after: "func TestA(t *testing.T) {\n\tif testing.Short() {\n\t\tt.Skip()\n\t}\n}\n",
      at: 3,
    },
    { what: "a Rust test ignored on a target", path: "tests/a.rs", after: "#[cfg_attr(windows, ignore)]\n", at: 1 },
    { what: "a test disabled on a system", path: "ATest.java", after: "@DisabledOnOs(WINDOWS)\n", at: 1 },
  ])("$what", async ({ path, after, at }) => {
    const found = (await findingsOf([{ path, after }])).filter((one) => one.rule === "skipped-test");
    expect(found.map((one) => [one.line, one.severity])).toEqual([[at, "medium"]]);
  });
});

describe("a skip in a test that is new", () => {
  const why = "no fork on Windows";
  const old = 'it("b", () => {\n  expect(1).toBe(x);\n});\n';
  test.for([
    {
      what: "says why",
      path: "a.test.ts",
      after: `it("a", (t) => {\n  if (win) t.skip("${why}");\n  expect(f()).toBe(1);\n});\n`,
    },
    { what: "says why as an option", path: "a.test.ts", after: `test("a", { skip: "${why}" }, () => {});\n` },
    {
      what: "says why in a decorator",
      path: "test_a.py",
      after: `@pytest.mark.skipif(\n    sys.platform == "win32",\n    reason="${why}",\n)\ndef test_a():\n    assert f() == 1\n`,
    },
    { what: "says why in Go", path: "a_test.go", after: `func TestA(t *testing.T) {\n\tt.Skip("${why}")\n}\n` },
    {
      what: "says why above it",
      path: "ATest.java",
      after: `class ATest {\n  @Disabled("${why}")\n  @Test void a() {}\n}\n`,
    },
    {
      what: "stands beside old ones",
      path: "a.test.ts",
      before: old,
      after: `${old}it("a", (t) => {\n  t.skip("${why}");\n});\n`,
    },
  ])("is silent where it $what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "skipped-test")).toEqual([]);
  });

  test.for([
    { what: "says nothing", edits: [{ path: "a.test.ts", after: 'it("a", (t) => {\n  t.skip();\n});\n' }] },
    { what: "only has a name", edits: [{ path: "a.test.ts", after: `it${skip}("adds two numbers", f);\n` }] },
    {
      what: "is in an old test",
      edits: [{ path: "a.test.ts", before: old, after: old.replace("=> {", `=> {\n  t.skip("${why}");`) }],
    },
    {
      what: "came from another file",
      edits: [
        { path: "a.test.ts", before: `${old}y();\n`, after: "y();\n" },
        { path: "b.test.ts", after: old.replace("() => {", `(t) => {\n  t.skip("${why}");`) },
      ],
    },
    {
      what: "came from another file that is seen later",
      edits: [
        { path: "0.test.ts", after: old.replace("() => {", `(t) => {\n  t.skip("${why}");`) },
        { path: "a.test.ts", before: `${old}y();\n`, after: "y();\n" },
      ],
    },
  ])("is reported where it $what", async ({ edits }) => {
    expect(await seen(edits, "skipped-test")).toHaveLength(1);
  });

  test("whose condition is only written otherwise was there before", async () => {
    const skip = (when: string) => `@pytest.mark.skipif(${when}, reason="x")\ndef test_a():\n    assert f() == 1\n`;
    const edit = { path: "test_a.py", before: skip('platform.system() == "Windows"'), after: skip("WIN") };
    expect(await seen([edit], "skipped-test")).toEqual([]);
  });

  test("in place of a silent return is no loss", async () => {
    const silent = 'it("b", () => {\n  if (win) return;\n  expect(1).toBe(x);\n});\n';
    const announced = silent.replace("() => {\n  if (win) return;", '(t) => {\n  if (win) t.skip("x");');
    expect(await seen([{ path: "a.test.ts", before: silent, after: announced }], "skipped-test")).toEqual([]);
  });
});

describe("skipped-test is silent about", () => {
  test.for([
    { what: "a test still to be written", path: "a.test.ts", after: 'test.todo("later");\n' },
    { what: "the word in a string", path: "a.test.ts", after: `const s = "it${skip}('x')";\n` },
    { what: "the word in a comment", path: "a.test.ts", after: `// it${skip}("x", f)\n` },
    { what: "a fixture in a template", path: "a.test.ts", after: `const s = \`\nit${skip}("x", f)\n\`;\n` },
    { what: "a query that skips rows", path: "a.test.ts", after: "const rows = query.skip(10);\nlist.test.skip;\n" },
    { what: "source that is not a test", path: "src/a.ts", after: `it${skip}("x", f);\n` },
    { what: "a document", path: "README.md", after: `it${skip}("x", f);\n` },
    { what: "importorskip", path: "test_a.py", after: 'np = pytest.importorskip("numpy")\n' },
    { what: "a helper of the project", path: "test_a.py", after: "skip_lines(3)\nparser.skip()\n" },
    { what: "a Go method of the same name", path: "a_test.go", after: "decoder.Skip(3)\nit.Skip()\n" },
    { what: "ignoring files in Rust", path: "src/a.rs", after: "let ignore = ignore::Walk::new();\n" },
    { what: "a class about disabled things", path: "ATest.java", after: "new DisabledButton(); // @Disabled\n" },
    { what: "a variable called xit", path: "a.test.ts", after: "const xit = 1; exit('a');\n" },
    {
      what: "a skip that only moved",
      path: "a.test.ts",
      before: `it${skip}("x", f);\n`,
      after: `describe("y", () => {\n  it${skip}("x", f);\n});\n`,
    },
    {
      what: "a skip that was there before",
      path: "a.test.ts",
      before: `it${skip}("x", f);\n`,
      after: `it${skip}("x", f);\ny();\n`,
    },
    {
      what: "a test that the change switches on again",
      path: "a.test.ts",
      before: `it${skip}("x", f);\n`,
      after: 'it("x", f);\n',
    },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "skipped-test")).toEqual([]);
  });
});
