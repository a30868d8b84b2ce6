import { describe, expect, test } from "vitest";
import { findingsOf, seen } from "../testing/memory-change.ts";

const ts = "@ts-";
const eslint = "eslint-" + "disable";
const noqa = "no" + "qa";

describe("suppression-added reports as medium", () => {
  test.for([
    { what: "ts-ignore", path: "src/a.ts", after: `x();\n// ${ts}ignore\ny();\n`, at: 2 },
    {
      what: "ts-ignore in CRLF text without a final newline",
      path: "src/a.ts",
      after: `é();\r\n// ${ts}ignore`,
      at: 2,
    },
    { what: "ts-nocheck", path: "src/a.ts", after: `// ${ts}nocheck\n`, at: 1 },
    { what: "ts-expect-error without a reason", path: "src/a.ts", after: `// ${ts}expect-error\nx();\n`, at: 1 },
    { what: "ts-ignore in JSX", path: "src/a.tsx", after: `{/* ${ts}ignore */}\n`, at: 1 },
    { what: "eslint for a file", path: "src/a.js", after: `/* ${eslint} no-console */\n`, at: 1 },
    { what: "eslint for a line", path: "src/a.js", after: `x(); // ${eslint}-line\n`, at: 1 },
    { what: "biome without a reason", path: "src/a.ts", after: "// biome-" + "ignore lint/x: <explanation>\n", at: 1 },
    { what: "a Python linter", path: "app/a.py", after: `import x  # ${noqa}: F401\n`, at: 1 },
    { what: "a Python type checker", path: "app/a.py", after: "x = y  # type: " + "ignore\n", at: 1 },
    { what: "a Go linter", path: "a.go", after: "x() //no" + "lint:errcheck\n", at: 1 },
    { what: "Rust's allow", path: "src/a.rs", after: "#[allow(dead_code)]\nfn f() {}\n", at: 1 },
    { what: "Java's warnings", path: "src/main/A.java", after: '@SuppressWarnings("unchecked")\n', at: 1 },
    { what: "ts-ignore far along", path: "src/a.ts", after: `${"a();".repeat(600)}/* ${ts}ignore */\n`, at: 1 },
    { what: "coverage", path: "src/a.ts", after: "/* istanbul " + "ignore next */\n", at: 1 },
    { what: "a shell linter", path: "a.sh", after: "# shellcheck " + "disable=SC2086\n", at: 1 },
  ])("$what", async ({ path, after, at }) => {
    const found = await findingsOf([{ path, after }]);
    expect(found.map((one) => [one.rule, one.line, one.severity])).toEqual([["suppression-added", at, "medium"]]);
  });
});

describe("suppression-added reports as low", () => {
  test.for([
    {
      what: "eslint with a reason",
      path: "src/a.js",
      after: `// ${eslint}-next-line no-eval -- the input is our own\n`,
    },
    {
      what: "a Go linter with a reason",
      path: "a.go",
      after: "x() //no" + "lint:errcheck // closing is best effort\n",
    },
    { what: "a suppression in a test", path: "a.test.ts", after: `// ${ts}ignore\n` },
  ])("$what", async ({ path, after }) => {
    expect((await findingsOf([{ path, after }])).map((one) => one.severity)).toEqual(["low"]);
  });
});

describe("a suppression on a line that changes", () => {
  test.for([
    {
      what: "stays the same",
      path: "app/a.py",
      before: "x = f(1)  # type: ignore[arg]\n",
      after: "x = f(2)  # type: ignore[arg]\n",
      is: 0,
    },
    {
      what: "moves to the line above",
      path: "src/a.js",
      before: `x(); // ${eslint}-line no-eval\n`,
      after: `// a\ny(); // ${eslint}-line no-eval\n`,
      is: 0,
    },
    {
      what: "covers more",
      path: "app/a.py",
      before: "x = f(1)  # type: ignore[arg]\n",
      after: "x = f(2)  # type: ignore\n",
      is: 1,
    },
    {
      what: "comes twice",
      path: "app/a.py",
      before: "x = f(1)  # type: ignore\n",
      after: "x = f(2)  # type: ignore\ny = f(3)  # type: ignore\n",
      is: 1,
    },
  ])("$what: $is reported", async ({ what: _, is, ...edit }) => {
    expect(await seen([edit], "suppression-added")).toHaveLength(is);
  });
});

test("a comment above it says why: low", async () => {
  const after = `# Checkers cannot see __getitem__ through super()\nx = y  # type: ${"ignore"}\n`;
  expect((await findingsOf([{ path: "app/a.py", after }])).map((one) => one.severity)).toEqual(["low"]);
});

describe("suppression-added is silent about", () => {
  test.for([
    {
      what: "ts-expect-error with a reason",
      path: "src/a.ts",
      after: `// ${ts}expect-error the types of x are wrong\n`,
    },
    {
      what: "ts-expect-error in a test, where it is the assertion",
      path: "a.test.ts",
      after: `// ${ts}expect-error\n`,
    },
    { what: "biome with a reason", path: "src/a.ts", after: "// biome-" + "ignore lint/x: the key is stable here\n" },
    { what: "the word in a string", path: "src/a.ts", after: `const a = "// ${ts}ignore";\n` },
    { what: "the word in a regular expression", path: "src/a.ts", after: `const a = /${ts}ignore|${eslint}/;\n` },
    { what: "a comment that talks about it", path: "src/a.ts", after: `// we never use ${ts}ignore in this project\n` },
    { what: "a comment about linters", path: "src/a.ts", after: `// The rule counts ${eslint} comments\n` },
    { what: "a document", path: "README.md", after: `// ${ts}ignore\n` },
    { what: "re-exports of a Python package", path: "app/__init__.py", after: `from .a import b  # ${noqa}: F401\n` },
    { what: "an ignore file", path: ".gitignore", after: "ignore\n" },
    { what: "the name of a function", path: "src/a.ts", after: "ignore(x); list.disable();\n" },
    { what: "Rust's deny", path: "src/a.rs", after: "#![deny(warnings)]\n// #[allow(x)]\n" },
    { what: "switching a linter on again", path: "src/a.js", after: "/* eslint-enable no-console */\n" },
    { what: "a fixture", path: "tests/fixtures/a.ts", after: `// ${ts}ignore\n` },
    { what: "a vendored file", path: "vendor/a.js", after: `/* ${eslint} */\n` },
    { what: "a generated file", path: "src/a.ts", after: `/* ${eslint} */\n// Code generated by x. DO NOT EDIT.\n` },
    {
      what: "one that only moved",
      path: "src/a.ts",
      before: `// ${ts}ignore\nx();\n`,
      after: `if (y) {\n  // ${ts}ignore\n  x();\n}\n`,
    },
    {
      what: "one that was there before",
      path: "src/a.ts",
      before: `// ${ts}ignore\nx();\n`,
      after: `// ${ts}ignore\ny();\n`,
    },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "suppression-added")).toEqual([]);
  });

  test("one that moved to another file of the change", async () => {
    const line = `  // ${ts}ignore\n`;
    const edits = [
      { path: "src/a.ts", before: `${line}x();\n`, after: "y();\n" },
      { path: "src/b.ts", after: `${line}x();\n` },
    ];
    expect(await seen(edits)).toEqual([]);
    expect(await seen(edits.toReversed())).toEqual([]);
  });
});
