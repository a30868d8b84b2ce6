import { describe, expect, test } from "vitest";
import { findingsOf } from "../testing/memory-change.ts";

const js = (body: string) => `test("adds", async (t) => {\n${body}\n  expect(add(1, 2)).toBe(3);\n});\n`;

async function found(path: string, after: string, before?: string) {
  const findings = await findingsOf([{ path, after, ...(before === undefined ? {} : { before }) }]);
  return findings.filter((one) => one.rule === "hollow-test").map((one) => [one.line, one.severity, one.title]);
}

const ALWAYS = "An assertion always holds";
const RETURNS = "A test returns before it checks anything";

describe("hollow-test reports", () => {
  test.for([
    {
      what: "assert.ok(true)",
      path: "a.test.js",
      after: 'it("a", () => {\n  assert.ok(true);\n});\n',
      is: [2, ALWAYS],
    },
    { what: "expect(true).toBe(true)", path: "a.test.ts", after: js("  expect(true).toBe(true);"), is: [2, ALWAYS] },
    { what: "chai's form", path: "a.test.js", after: js("  expect(true).to.be.true;"), is: [2, ALWAYS] },
    { what: "two equal constants", path: "a.test.js", after: js("  assert.strictEqual(1, 1);"), is: [2, ALWAYS] },
    { what: "assert True", path: "test_a.py", after: "def test_a():\n    assert True\n", is: [2, ALWAYS] },
    {
      what: "assertTrue(True)",
      path: "test_a.py",
      after: "def test_a(self):\n    self.assertTrue(True)\n",
      is: [2, ALWAYS],
    },
    {
      what: "a Go constant",
      path: "a_test.go",
      after: "func TestA(t *testing.T) {\n\tassert.True(t, true)\n}\n",
      is: [2, ALWAYS],
    },
    {
      what: "a Rust constant",
      path: "tests/a.rs",
      after: "#[test]\nfn a() {\n    assert!(true);\n}\n",
      is: [3, ALWAYS],
    },
    {
      what: "a JUnit constant",
      path: "ATest.java",
      after: "class ATest {\n  @Test\n  void a() {\n    assertTrue(true);\n  }\n}\n",
      is: [4, ALWAYS],
    },
    { what: "a return at the start", path: "a.test.ts", after: js("  return;"), is: [2, RETURNS] },
    { what: "a return without a semicolon", path: "a.test.ts", after: js("  return"), is: [2, RETURNS] },
    {
      what: "a return in Python",
      path: "test_a.py",
      after: "def test_a():\n    return\n    assert f() == 1\n",
      is: [2, RETURNS],
    },
    {
      what: "a return in Go",
      path: "a_test.go",
      after: "func TestA(t *testing.T) {\n\treturn\n\tassert.Equal(t, 1, f())\n}\n",
      is: [2, RETURNS],
    },
  ])("$what", async ({ path, after, is: [line, title] }) => {
    expect(await found(path, after)).toEqual([[line, "high", title]]);
  });

  test.for([
    { what: "a return under a condition", path: "a.test.ts", after: js("  if (!docker) return;"), line: 2 },
    { what: "a return in a block", path: "a.test.ts", after: js("  if (!docker) {\n    return;\n  }"), line: 3 },
    {
      what: "one in Python",
      path: "test_a.py",
      after: "def test_a():\n    if win:\n        return\n    assert f() == 1\n",
      line: 3,
    },
  ])("as medium: $what", async ({ path, after, line }) => {
    expect(await found(path, after)).toEqual([[line, "medium", RETURNS]]);
  });
});

describe("hollow-test is silent about", () => {
  test.for([
    { what: "a return after an assertion", path: "a.test.ts", after: js("  expect(x).toBe(1);\n  if (y) return;") },
    { what: "a return in a callback", path: "a.test.ts", after: js("  server.on('x', () => {\n    return;\n  });") },
    {
      what: "a return in a method",
      path: "a.test.ts",
      after: js("  const s = {\n    go() {\n      return;\n    },\n  };"),
    },
    {
      what: "a return of a value",
      path: "a.test.ts",
      after: 'it("a", () => {\n  return expect(f()).resolves.toBe(1);\n});\n',
    },
    {
      what: "a skip that says so",
      path: "a.test.ts",
      after: js('  if (!docker) {\n    t.skip("no docker");\n    return;\n  }'),
    },
    { what: "a helper beside the tests", path: "a.test.ts", after: "function f() {\n  return;\n}\n" },
    {
      what: "a test without assertions",
      path: "a.test.ts",
      after: 'it("a", () => {\n  if (x) return;\n  run();\n});\n',
    },
    {
      what: "a nested def",
      path: "test_a.py",
      after: "def test_a():\n    def g():\n        return\n    assert f(g) == 1\n",
    },
    { what: "an assertion of a variable", path: "a.test.ts", after: js("  assert.ok(ready);") },
    { what: "words in a string", path: "a.test.ts", after: js('  const s = "assert.ok(true)";') },
    { what: "code that is no test", path: "src/a.ts", after: "function a() {\n  assert.ok(true);\n}\n" },
  ])("$what", async ({ path, after }) => {
    expect(await found(path, after)).toEqual([]);
  });

  test("what was there before", async () => {
    const before = js("  return;");
    expect(await found("a.test.ts", `// a note\n${before}`, before)).toEqual([]);
  });
});
