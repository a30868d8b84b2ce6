import { describe, expect, test } from "vitest";
import { inWords, read, shown } from "./read.ts";
import type { Control } from "./setting.ts";

const rounds: Control = { kind: "number", min: 1, max: 50, isWhole: true, unit: "rounds" };
const minutes: Control = { kind: "number", min: 0, isWhole: false, unit: "minutes", per: 60_000 };

describe("what is typed becomes a value of the file", () => {
  test.for<{ control: Control; raw: unknown; value: unknown }>([
    { control: rounds, raw: " 4 ", value: 4 },
    { control: rounds, raw: "", value: null },
    { control: minutes, raw: "1.5", value: 90_000 },
    { control: { kind: "text" }, raw: " sonnet ", value: "sonnet" },
    { control: { kind: "text" }, raw: "  ", value: null },
    { control: { kind: "lines" }, raw: "a\n\n b \n", value: ["a", "b"] },
    { control: { kind: "lines" }, raw: "\n", value: null },
    { control: { kind: "command" }, raw: "npm test", value: "npm test" },
    { control: { kind: "command" }, raw: '["npm", "test"]', value: ["npm", "test"] },
    { control: { kind: "several", options: [] }, raw: [], value: [] },
    { control: { kind: "json" }, raw: "[1]", value: [1] },
    { control: { kind: "switch" }, raw: false, value: false },
  ])("$control.kind: $raw is $value", ({ control, raw, value }) => {
    expect(read(control, raw)).toEqual({ ok: true, value });
  });

  test.for<{ control: Control; raw: string; told: RegExp }>([
    { control: rounds, raw: "0", told: /whole number, 1 to 50/ },
    { control: rounds, raw: "51", told: /1 to 50/ },
    { control: rounds, raw: "2.5", told: /whole number/ },
    { control: rounds, raw: "many", told: /“many” is not/ },
    { control: minutes, raw: "-1", told: /0 or more/ },
    { control: { kind: "command" }, raw: "[npm", told: /JSON/ },
    { control: { kind: "json" }, raw: "[{]", told: /./ },
  ])("$control.kind: $raw is refused with what is allowed", ({ control, raw, told }) => {
    const value = read(control, raw);
    expect(value.ok ? "" : value.problem).toMatch(told);
  });

  test.for<{ control: Control; value: unknown }>([
    { control: rounds, value: 7 },
    { control: minutes, value: 90_000 },
    { control: { kind: "lines" }, value: ["a", "b"] },
    { control: { kind: "command" }, value: ["npm", "test"] },
    { control: { kind: "json" }, value: [{ a: 1 }] },
    { control: { kind: "several", options: [] }, value: ["github"] },
  ])("$control.kind shows $value so that it reads as the same", ({ control, value }) => {
    expect(read(control, shown(control, value))).toEqual({ ok: true, value });
  });
});

test.for<{ control: Control | null; value: unknown; words: string }>([
  { control: minutes, value: 90_000, words: "1.5 minutes" },
  { control: null, value: undefined, words: "nothing" },
  { control: null, value: true, words: "on" },
  { control: null, value: [], words: "none" },
  { control: null, value: { a: 1 }, words: '{"a":1}' },
  { control: null, value: "x".repeat(200), words: `${"x".repeat(79)}…` },
])("$value is said as $words", ({ control, value, words }) => {
  expect(inWords(control, value)).toBe(words);
});
