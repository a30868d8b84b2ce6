import { describe, expect, test } from "vitest";
import { findingsOf, seen } from "../testing/memory-change.ts";

const todo = "TO" + "DO";
const fixme = "FIX" + "ME";

describe("todo-without-ticket reports", () => {
  test.for([
    { what: "a promise in a comment", path: "src/a.ts", after: `x();\n// ${todo} make it faster\n`, at: 2 },
    { what: "a promise behind code", path: "src/a.ts", after: `x(); // ${todo}: größer\n`, at: 1 },
    { what: "a promise in CRLF text without a final newline", path: "src/a.ts", after: `x();\r\n// ${fixme} y`, at: 2 },
    { what: "a promise in a block comment", path: "src/a.java", after: `/*\n * ${todo} rename\n */\n`, at: 2 },
    { what: "a promise after a sentence", path: "src/a.go", after: `// It works. ${todo}: why?\n`, at: 1 },
    { what: "a Python promise", path: "app/a.py", after: `x = 1  # ${fixme} later\n`, at: 1 },
    { what: "a promise in YAML", path: "a.yml", after: `a: 1 # ${todo} pin it\n`, at: 1 },
    { what: "a promise in HTML", path: "a.html", after: `<p>\n<!-- ${todo} text -->\n`, at: 2 },
    { what: "a promise in SQL", path: "a.sql", after: `-- ${todo} index\n`, at: 1 },
    { what: "a promise far along a line", path: "src/a.js", after: `${"a();".repeat(600)}// ${todo}: why\n`, at: 1 },
    { what: "a hack", path: "src/a.rs", after: "// HA" + "CK: works around x\n", at: 1 },
    { what: "three crosses", path: "src/a.c", after: "/* X" + "XX wrong */\n", at: 1 },
    {
      what: "a promise with an encoding's name, which is no ticket",
      path: "src/a.ts",
      after: `// ${todo} read UTF-8\n`,
      at: 1,
    },
  ])("$what", async ({ path, after, at }) => {
    expect(await seen([{ path, after }])).toEqual([`todo-without-ticket@${at}`]);
  });

  test("as low, in the category documentation", async () => {
    const [found] = await findingsOf([{ path: "src/a.ts", after: `// ${todo} x\n` }]);
    expect(found).toMatchObject({ severity: "low", category: "documentation", snippet: `// ${todo} x` });
  });
});

describe("todo-without-ticket is silent about", () => {
  test.for([
    { what: "a number of an issue", path: "src/a.ts", after: `// ${todo} #123 faster\n` },
    { what: "a ticket", path: "src/a.ts", after: `// ${todo}: ABC-123 faster\n` },
    { what: "an address", path: "src/a.ts", after: `// ${todo} see https://tracker.io/1\n` },
    { what: "an owner", path: "src/a.ts", after: `// ${todo}(maria): faster\n` },
    { what: "an owner by handle", path: "src/a.ts", after: `// ${todo} @maria faster\n` },
    { what: "the word in a string", path: "src/a.ts", after: `const a = "${todo}: x";\n` },
    { what: "the word in a template", path: "src/a.ts", after: `const a = \`\n// ${todo} x\n\`;\n` },
    { what: "a name", path: "src/a.ts", after: `const ${todo} = 1; const ${todo}_LIST = [];\n` },
    { what: "a comment about the word", path: "src/a.ts", after: `// counts every ${todo} in a comment\n` },
    { what: "a list in lower case", path: "src/a.ts", after: "// renders the todo list\n" },
    { what: "a pattern of crosses", path: "src/a.ts", after: "// format: XXX-XXX, mktemp /tmp/aXXXXXX\n" },
    { what: "a document", path: "README.md", after: `- ${todo} write more\n` },
    { what: "plain text", path: "notes.txt", after: `${todo} write more\n` },
    { what: "a vendored file", path: "vendor/a.go", after: `// ${todo} x\n` },
    {
      what: "one that only moved",
      path: "src/a.ts",
      before: `// ${todo} x\ny();\n`,
      after: `if (z) {\n  // ${todo} x\n  y();\n}\n`,
    },
    { what: "one that the change removes", path: "src/a.ts", before: `// ${todo} x\ny();\n`, after: "y();\n" },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "todo-without-ticket")).toEqual([]);
  });
});
