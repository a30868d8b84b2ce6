import { describe, expect, test } from "vitest";
import { splitFrontMatter } from "./split.ts";
import { readYamlMap } from "./yaml-map.ts";

const read = (yaml: string, scalars: "typed" | "texts" = "typed") => readYamlMap(yaml, { firstLine: 2, scalars });

describe("a mapping in YAML", () => {
  test("values keep their types, or come as the texts that stand there", () => {
    const yaml = "id: 3.10\nn: 1\nt: true\nl: [2.0, x]\ne:\n";
    expect(read(yaml)).toMatchObject({ ok: true, value: { id: 3.1, n: 1, t: true, l: [2, "x"], e: null } });
    expect(read(yaml, "texts")).toMatchObject({ value: { id: "3.10", n: "1", t: "true", l: ["2.0", "x"], e: "" } });
  });

  test("every value has the line of its key, and every entry of a list its own", () => {
    const result = read("# c\na:\n  b: 1\n  l:\n    - x\n    - y\n");
    if (!result.ok) throw new Error(result.message);
    expect(result.lineOf(["a", "b"])).toBe(4);
    expect(result.lineOf(["a", "l", 1])).toBe(7);
    expect(result.lineOf(["a", "missing", 3])).toBe(3);
    expect(result.lineOf([])).toBe(3);
  });

  test.for([
    { name: "a bracket that is not closed", yaml: "a: 1\nb: [1, 2\n", line: 4 },
    { name: "a tab as indentation", yaml: "a:\n\tb: 1\n", line: 3 },
    { name: "a key that stands twice", yaml: "a: 1\na: 2\n", line: 3 },
    { name: "two documents", yaml: "a: 1\n--- \nb: 1\n", line: 3 },
    { name: "a value with a second colon", yaml: "a: b: c\n", line: 2 },
    { name: "a list", yaml: "- a\n", line: 2 },
    { name: "a bare word", yaml: "hello\n", line: 2 },
    { name: "an alias to nowhere", yaml: "a: *b\n", line: 2 },
    { name: "aliases that grow without end", yaml: bomb(), line: 2 },
    { name: "nesting without end", yaml: `a: ${"[".repeat(20_000)}`, line: 2 },
  ])("$name is refused in one line with its location", ({ yaml, line }) => {
    const result = read(yaml);
    expect(result).toMatchObject({ ok: false, line });
    if (!result.ok) expect(result.message).not.toMatch(/\n/);
  });

  test("keys that mean something to JavaScript are plain keys", () => {
    const result = read("__proto__: {polluted: 1}\nconstructor: x\n");
    expect(result.ok && Object.keys(result.value)).toEqual(["__proto__", "constructor"]);
    expect(Object.hasOwn({}, "polluted")).toBe(false);
  });
});

describe("front matter", () => {
  test.for([
    { name: "none", text: "# T\n---\na: 1\n---\n", kind: "none" },
    { name: "a rule later on", text: "\n---\na: 1\n---\n", kind: "none" },
    { name: "unclosed", text: "---\na: 1\n", kind: "open" },
    { name: "closed", text: "---  \r\na: 1\r\n--- \r\nbody", kind: "found" },
    { name: "closed by the end", text: "---\n---", kind: "found" },
    { name: "after a byte order mark", text: "\uFEFF---\na: 1\n---\n", kind: "found" },
    { name: "a longer rule is no end", text: "---\na: 1\n----\n", kind: "open" },
    { name: "a separator character begins no line", text: "---\na: 1\u2028---\n", kind: "open" },
  ])("$name: $kind", ({ text, kind }) => {
    expect(splitFrontMatter(text).kind).toBe(kind);
  });
});

function bomb(): string {
  const levels = ["a: &a [x,x,x,x,x,x,x,x,x]"];
  for (let n = 0; n < 9; n++) {
    const name = String.fromCharCode(98 + n);
    levels.push(`${name}: &${name} [${`*${String.fromCharCode(97 + n)},`.repeat(9)}]`);
  }
  return levels.join("\n");
}
