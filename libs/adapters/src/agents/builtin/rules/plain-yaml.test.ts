import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { isPlainYaml } from "./plain-yaml.ts";

const parses = (text: string) => parseAllDocuments(text).every((document) => document.errors.length === 0);
const piece = fc.constantFrom(
  "a",
  "b: ",
  "- ",
  "  ",
  "\n",
  "\n  ",
  "key: value",
  ": ",
  "'",
  '"',
  "#",
  "[",
  "]",
  "{",
  "}",
  "&x",
  "*x",
  "|",
  ">",
  "?",
  "%",
  "@",
  "`",
  "\t",
  "1",
  "---\n",
  "...",
  "é",
  "!",
  ",",
);

test("what counts as plainly valid, yaml parses (property)", () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      const text = pieces.join("");
      if (isPlainYaml(text)) expect(parses(text)).toBe(true);
    }),
    { numRuns: 10_000 },
  );
});

describe("plainly valid", () => {
  test("an ordinary workflow needs no parser", () => {
    const workflow =
      "name: ci\non:\n  push:\n    branches: [main]\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: npm test\n";
    expect(isPlainYaml(workflow)).toBe(true);
    expect(parses(workflow)).toBe(true);
  });
  test.for(["a: [1, 2\n", "a: b: c\n", "\ta: 1\n", "a: 'x\n", "a: 1\n b: 2\n"])("%j is left to the parser", (text) => {
    expect(isPlainYaml(text)).toBe(false);
  });
});
