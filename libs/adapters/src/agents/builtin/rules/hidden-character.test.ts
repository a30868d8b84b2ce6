import { describe, expect, test } from "vitest";
import { findingsOf, seen } from "../testing/memory-change.ts";

const RLO = "\u202e";

describe("hidden-character reports as critical", () => {
  test.for([
    { what: "a NUL", path: "src/a.ts", after: "a();\nb(\0);\n", at: 2 },
    { what: "an override of direction", path: "src/a.py", after: `# ${RLO} admin\n`, at: 1 },
    { what: "an isolate", path: "a.yml", after: "a: \u2067b\u2069\n", at: 1 },
    { what: "one in a script by its first line", path: "bin/run", after: `#!/bin/sh\necho ${RLO}\n`, at: 2 },
    { what: "one in a vendored file", path: "vendor/a.go", after: `// ${RLO}\n`, at: 1 },
    { what: "one far along a line", path: "src/a.ts", after: `${"a();".repeat(900)}"${RLO}"\n`, at: 1 },
  ])("$what", async ({ path, after, at }) => {
    const found = await findingsOf([{ path, after }]);
    const hidden = found.filter(({ rule }) => rule === "hidden-character");
    expect(hidden.map(({ line, severity }) => [line, severity])).toEqual([[at, "critical"]]);
    expect(JSON.stringify(hidden)).not.toContain(RLO);
  });
});

describe("hidden-character is silent about", () => {
  test.for([
    { what: "a mark of direction", path: "src/a.ts", after: "// \u200f\n" },
    { what: "a text in two directions", path: "README.md", after: "\u2067abc\u2069\n" },
    { what: "one that was there before", path: "src/a.ts", before: `// ${RLO}\n`, after: `// ${RLO}\na();\n` },
    { what: "one that goes", path: "src/a.ts", before: `// ${RLO}\na();\n`, after: "a();\n" },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "hidden-character")).toEqual([]);
  });
});
