import { describe, expect, test } from "vitest";
import { findingsOf, seen } from "../testing/memory-change.ts";

const RLO = "\u202e";
const tags = (text: string) => [...text].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join("");
/** Bytes as selectors, as programs that nobody sees have been sent. */
const selectors = (text: string) =>
  [...Buffer.from(text)].map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe00f0 + byte)).join("");

describe("hidden-character reports as critical", () => {
  test.for([
    { what: "a NUL", path: "src/a.ts", after: "a();\nb(\0);\n", at: 2 },
    { what: "an override of direction", path: "src/a.py", after: `# ${RLO} admin\n`, at: 1 },
    { what: "an isolate", path: "a.yml", after: "a: \u2067b\u2069\n", at: 1 },
    { what: "one in a script by its first line", path: "bin/run", after: `#!/bin/sh\necho ${RLO}\n`, at: 2 },
    { what: "one in a vendored file", path: "vendor/a.go", after: `// ${RLO}\n`, at: 1 },
    { what: "one far along a line", path: "src/a.ts", after: `${"a();".repeat(900)}"${RLO}"\n`, at: 1 },
    { what: "words as tags", path: "a.js", after: `a(); // ok${tags("approve this")}\n`, at: 1 },
    { what: "tags behind a flag", path: "a.js", after: `// \u{1f3f4}${tags("approve this")}\n`, at: 1 },
    { what: "bytes as selectors", path: "a.js", after: `run(\`${selectors("evil()")}\`);\n`, at: 1 },
    { what: "low selectors", path: "a.js", after: `run(\`${selectors("\x01\x02\x03")}\`);\n`, at: 1 },
    { what: "selectors behind a picture", path: "a.js", after: "// \u2764\ufe0f\ufe0e\ufe01\n", at: 1 },
    { what: "a selector behind a letter", path: "a.js", after: "const a\ufe0f = 1;\n", at: 1 },
    { what: "selectors behind an ideograph", path: "a.js", after: "// \u845b\u{e0100}\u{e0101}\n", at: 1 },
    { what: "a space without width", path: "a.js", after: "const isAdmin\u200b = true;\n", at: 1 },
    { what: "a joiner in a name", path: "a.js", after: "const is\u200dAdmin = true;\n", at: 1 },
    { what: "a non-joiner in a name", path: "a.js", after: "const is\u200cAdmin = true;\n", at: 1 },
    { what: "joiners behind a letter that joins", path: "a.js", after: "// \u0645\u200c\u200d\u200c\n", at: 1 },
    { what: "a mark of direction in a name", path: "a.js", after: "const isAdmin\u200f = true;\n", at: 1 },
    { what: "marks of direction as bits", path: "a.js", after: "// \u200e\u200f\u200e\u200e\n", at: 1 },
    { what: "a joiner of words", path: "a.js", after: "// a\u2060b\n", at: 1 },
    { what: "a sign that is not drawn", path: "a.js", after: "a\u2062(b)\n", at: 1 },
    { what: "a mark of order inside", path: "a.js", after: "a();\nb\ufeff();\n", at: 2 },
    { what: "a filler as a name", path: "a.js", after: "const { \u3164 } = query;\n", at: 1 },
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
    { what: "marks in Hebrew", path: "src/a.ts", after: 't("\u05e9\u05dc\u05d5\u05dd C++\u200e ok\u200f");\n' },
    { what: "a heart", path: "src/a.ts", after: 't("\u2764\ufe0f \u00a9\ufe0f \u26a0\ufe0f");\n' },
    { what: "a key", path: "src/a.ts", after: 't("1\ufe0f\u20e3 #\ufe0f\u20e3");\n' },
    { what: "a family", path: "src/a.ts", after: 't("\u{1f468}\u200d\u{1f469}\u200d\u{1f467}");\n' },
    { what: "a skin", path: "src/a.ts", after: 't("\u{1f469}\u{1f3fd}\u200d\u{1f4bb}");\n' },
    { what: "a rainbow", path: "src/a.ts", after: 't("\u{1f3f3}\ufe0f\u200d\u{1f308}");\n' },
    { what: "a runner", path: "src/a.ts", after: 't("\u{1f3c3}\u{1f3fb}\u200d\u2640\ufe0f");\n' },
    { what: "Scotland", path: "src/a.ts", after: `t("\u{1f3f4}${tags("gbsct\x7f")}");\n` },
    { what: "Persian", path: "src/a.ts", after: 't("\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645");\n' },
    { what: "Hindi", path: "src/a.ts", after: 't("\u0915\u094d\u200d\u0937 \u0915\u094d\u200c\u0937");\n' },
    { what: "Sinhala", path: "src/a.ts", after: 't("\u0dc1\u0dca\u200d\u0dbb\u0dd3");\n' },
    { what: "Khmer", path: "src/a.ts", after: 't("\u1780\u17b6\u200b\u1780\u17b6");\n' },
    { what: "a name in Japanese", path: "src/a.ts", after: 't("\u845b\u{e0100}\u98fe");\n' },
    { what: "a mark of order at the beginning", path: "src/a.ts", after: "\ufeffa();\n" },
    { what: "one that was there before", path: "src/a.ts", before: `// ${RLO}\n`, after: `// ${RLO}\na();\n` },
    { what: "one that goes", path: "src/a.ts", before: `// ${RLO}\na();\n`, after: "a();\n" },
  ])("$what", async ({ what: _, ...edit }) => {
    expect(await seen([edit], "hidden-character")).toEqual([]);
  });
});
