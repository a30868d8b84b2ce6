import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { patchJson } from "./json-patch.ts";

describe("a change of values leaves the rest of the text to the byte", () => {
  test.for<{ name: string; text: string; after: unknown; gives: string }>([
    {
      name: "a value in place",
      text: '{\n  "b": 1,\n  "a": 2\n}\n',
      after: { a: 3, b: 1 },
      gives: '{\n  "b": 1,\n  "a": 3\n}\n',
    },
    { name: "no final newline", text: '{\n  "b": 1\n}', after: { b: 2 }, gives: '{\n  "b": 2\n}' },
    {
      name: "a new key at the end",
      text: '{\n  "b": 1\n}\n',
      after: { b: 1, a: [1] },
      gives: '{\n  "b": 1,\n  "a": [\n    1\n  ]\n}\n',
    },
    {
      name: "tabs",
      text: '{\n\t"b": {\n\t\t"c": 1\n\t}\n}\n',
      after: { b: { c: 1, d: {}, e: { f: 1 } } },
      gives: '{\n\t"b": {\n\t\t"c": 1,\n\t\t"d": {},\n\t\t"e": {\n\t\t\t"f": 1\n\t\t}\n\t}\n}\n',
    },
    {
      name: "four spaces",
      text: '{\n    "b": {}\n}\n',
      after: { b: { c: 1 } },
      gives: '{\n    "b": {\n        "c": 1\n    }\n}\n',
    },
    {
      name: "Windows line ends",
      text: '{\r\n  "b": 1\r\n}\r\n',
      after: { b: 1, c: [2] },
      gives: '{\r\n  "b": 1,\r\n  "c": [\r\n    2\r\n  ]\r\n}\r\n',
    },
    { name: "a byte order mark", text: '\uFEFF{\n  "b": 1\n}\n', after: { b: 2 }, gives: '\uFEFF{\n  "b": 2\n}\n' },
    {
      name: "a file on one line",
      text: '{"b":1,"c":[1]}',
      after: { b: 1, c: [1, 2], d: { e: 1 } },
      gives: '{"b":1,"c":[1,2],"d":{"e":1}}',
    },
    {
      name: "a list on one line in an indented file",
      text: '{\n  "b": [1, 2]\n}\n',
      after: { b: [1, 2, 3] },
      gives: '{\n  "b": [1, 2, 3]\n}\n',
    },
    {
      name: "an entry appended to a list",
      text: '{\n  "b": [\n    {"x":1}\n  ]\n}\n',
      after: { b: [{ x: 1 }, { y: 2 }] },
      gives: '{\n  "b": [\n    {"x":1},\n    {\n      "y": 2\n    }\n  ]\n}\n',
    },
    { name: "a shorter list", text: '{\n  "b": [1, 2]\n}\n', after: { b: [2] }, gives: '{\n  "b": [\n    2\n  ]\n}\n' },
    { name: "the first key removed", text: '{\n  "a": 1,\n  "b": 2\n}\n', after: { b: 2 }, gives: '{\n  "b": 2\n}\n' },
    { name: "a middle key removed", text: '{"a":1,"b":2,"c":3}', after: { a: 1, c: 3 }, gives: '{"a":1,"c":3}' },
    {
      name: "the last key removed and one added",
      text: '{\n  "a": 1,\n  "b": 2\n}\n',
      after: { a: 1, c: 3 },
      gives: '{\n  "a": 1,\n  "c": 3\n}\n',
    },
    {
      name: "a key set to undefined is removed",
      text: '{\n  "a": 1,\n  "b": 2\n}\n',
      after: { a: 1, b: undefined },
      gives: '{\n  "a": 1\n}\n',
    },
    { name: "every key removed", text: '{\n  "a": 1\n}\n', after: {}, gives: "{}\n" },
    {
      name: "odd spacing, escapes and long numbers elsewhere",
      text: '{ "a" :1 ,"u":"\\u00e9\\/", "n":1.50, "big":12345678901234567890 }',
      after: { a: 2, u: "é/", n: 1.5, big: Number("12345678901234567890") },
      gives: '{ "a" :2 ,"u":"\\u00e9\\/", "n":1.50, "big":12345678901234567890 }',
    },
    { name: "a name that objects inherit", text: '{"constructor":1,"a":1}', after: { a: 1 }, gives: '{"a":1}' },
    {
      name: "of a key that is there twice, the one that counts",
      text: '{"a":1,"a":2}',
      after: { a: 3 },
      gives: '{"a":1,"a":3}',
    },
  ])("$name", ({ text, after, gives }) => {
    expect(patchJson(text, JSON.parse(text.replace(/^\uFEFF/, "")), after)).toBe(gives);
  });

  test("keys that the reader of the file dropped stay", () => {
    const text = '{\n  "known": 1,\n  "theirs": {\n    "deep": true\n  }\n}\n';
    expect(patchJson(text, { known: 1 }, { known: 2 })).toBe(text.replace("1", "2"));
  });

  test("for any two values and any layout, the patched text reads as the new value", () => {
    const json = fc.jsonValue({ maxDepth: 4 }).map((value) => JSON.parse(JSON.stringify(value)));
    const layout = fc.constantFrom("", " ", "  ", "    ", "\t");
    fc.assert(
      fc.property(json, json, layout, fc.boolean(), (before, after, indent, crlf) => {
        const text = JSON.stringify(before, null, indent).replaceAll("\n", crlf ? "\r\n" : "\n");
        expect(isDeepStrictEqual(JSON.parse(patchJson(text, before, after)), after)).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  test("for any object, adding, changing and removing keys leaves the other members as they were written", () => {
    const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)));
    const keys = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });
    const changes = fc.array(fc.constantFrom("keep", "change", "remove"), { minLength: 8, maxLength: 8 });
    fc.assert(
      fc.property(keys, json, json, changes, (names, value, other, whats) => {
        const before = Object.fromEntries(names.map((name) => [name, value]));
        const text = JSON.stringify(before, null, 2);
        const kept = names.filter((_, index) => whats[index] === "keep");
        const entries = names
          .filter((_, index) => whats[index] !== "remove")
          .map((name) => [name, kept.includes(name) ? value : other]);
        const after = { ...Object.fromEntries(entries), "a new key that is long": other };
        const patched = patchJson(text, before, after);
        expect(isDeepStrictEqual(JSON.parse(patched), JSON.parse(JSON.stringify(after)))).toBe(true);
        const member = JSON.stringify({ k: value }, null, 2).slice(7, -2);
        for (const name of kept) expect(patched).toContain(`  ${JSON.stringify(name)}${member}`);
      }),
      { numRuns: 500 },
    );
  });
});
