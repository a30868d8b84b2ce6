import { describe, expect, test } from "vitest";
import { findingsOf, seen } from "../testing/memory-change.ts";

const only = ".only";

describe("focused-test reports", () => {
  test.for([
    { what: "a focused test", path: "src/a.test.ts", after: `import x;\nit${only}("adds", () => {});\n`, at: 2 },
    { what: "a focused suite", path: "src/a.spec.js", after: `describe${only}("cart", () => {});\n`, at: 1 },
    { what: "a focus in CRLF text", path: "a.test.ts", after: `\r\ntest${only}("ä", () => {});\r\n`, at: 2 },
    { what: "a focus without a final newline", path: "a.test.ts", after: `test${only}("a", f);`, at: 1 },
    { what: "a focus in a chain", path: "a.test.ts", after: `test.concurrent${only}("a", f);\n`, at: 1 },
    { what: "a focused table", path: "a.test.ts", after: `it${only}.each([1])("a %s", f);\n`, at: 1 },
    { what: "a focused table as a template", path: "a.test.ts", after: `it.each${only}\`a\`("x", f);\n`, at: 1 },
    { what: "a focused Playwright suite", path: "e2e/a.spec.ts", after: `test.describe${only}("a", f);\n`, at: 1 },
    { what: "a focused Deno test", path: "a_test.ts", after: `Deno.test${only}("a", f);\n`, at: 1 },
    { what: "Jasmine's short focus", path: "a.spec.ts", after: 'fit("a", f);\n', at: 1 },
    { what: "Jasmine's short focus of a suite", path: "__tests__/a.js", after: 'x();\nfdescribe("a", f);\n', at: 2 },
    { what: "a name on the next line", path: "a.test.ts", after: 'fit(\n  "a",\n  f);\n', at: 1 },
    { what: "a focus as an option", path: "a.test.mjs", after: 'test("a", { only: true }, f);\n', at: 1 },
    { what: "a focused Ginkgo test", path: "a_test.go", after: 'var _ = FDescribe("a", func() {})\n', at: 1 },
    { what: "a focused RSpec example", path: "a_spec.rb", after: '  fit "a" do\n', at: 1 },
    { what: "an RSpec focus tag", path: "a_spec.rb", after: '  it "a", :focus do\n', at: 1 },
    { what: "a pytest focus", path: "test_a.py", after: "@pytest.mark.only\ndef test_a(): ...\n", at: 1 },
  ])("$what", async ({ path, after, at }) => {
    expect(await seen([{ path, after }], "focused-test")).toEqual([`focused-test@${at}`]);
  });

  test("once per line, as high, with the line as it stands", async () => {
    const line = `  describe${only}("a", () => it${only}("b", f));`;
    const found = await findingsOf([{ path: "a.test.ts", after: `${line}\n` }]);
    expect(found).toMatchObject([{ severity: "high", category: "testing", snippet: line, line: 1, endLine: 1 }]);
  });
});

describe("focused-test is silent about", () => {
  test.for([
    { what: "the word in a string", path: "a.test.ts", after: `const t = "it${only}(x)";\n` },
    { what: "the word in a comment", path: "a.test.ts", after: `// never commit it${only}("x")\n` },
    { what: "the word in a block comment", path: "a.test.ts", after: `/*\n it${only}("x", f)\n*/\n` },
    { what: "a fixture in a template", path: "a.test.ts", after: `const t = \`\nit${only}("x", f)\n\`;\n` },
    { what: "a regular expression", path: "a.test.ts", after: `const r = /it\\${only}\\(/;\n` },
    {
      what: "a method of something else",
      path: "a.test.ts",
      after: `knex.pick${only}("a"); const q = select.it${only}("a");\n`,
    },
    {
      what: "a property that is not called",
      path: "a.test.ts",
      after: "const o = options.only;\nexpect(it.only).toBeDefined();\n",
    },
    { what: "source that is not a test", path: "src/runner.ts", after: `it${only}("x", f);\n` },
    { what: "a document", path: "README.md", after: `it${only}("x", f);\n` },
    { what: "a function called fit", path: "a.test.ts", after: "fit(curve, points);\nmodel.fit('a');\n" },
    { what: "fitting a model in Python", path: "test_a.py", after: "model.fit(x)\nfit('a')\n" },
    { what: "a Go function with a capital F", path: "a_test.go", after: 'FItem("a")\nx.FIt("a")\n' },
    { what: "an option of another call", path: "a.test.ts", after: "load({ only: true });\n" },
    { what: "a vendored test", path: "node_modules/x/a.test.js", after: `it${only}("x", f);\n` },
    {
      what: "a focus that was there before",
      path: "a.test.ts",
      before: `it${only}("x", f);\n`,
      after: `it${only}("x", f);\ny();\n`,
    },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "focused-test")).toEqual([]);
  });
});
