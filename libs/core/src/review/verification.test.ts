import type { Finding } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { valuesOf } from "./testing/schema-values.ts";
import { isVerifiable, readVerification, verificationSchema, withVerification } from "./verification.ts";

const ruling = (finding: number, more: object = {}) => ({
  finding,
  ruling: "confirmed",
  evidence: "Seen.",
  quote: null,
  ...more,
});
const reading = (structured: unknown, count = 2, text = "") =>
  readVerification({ text, finished: true, structured }, count);

describe("an answer on two findings", () => {
  test("is read in the order of the findings", () => {
    const answer = { rulings: [ruling(2, { ruling: "refuted", quote: "if (x) return;" }), ruling(1)] };
    expect(reading(answer)).toEqual([
      { result: "confirmed", evidence: "Seen.", quote: "" },
      { result: "refuted", evidence: "Seen.", quote: "if (x) return;" },
    ]);
    expect(reading(undefined, 2, JSON.stringify(answer))).toEqual(reading(answer));
  });

  test.for([
    ["that leaves one out", { rulings: [ruling(1)] }],
    ["that rules twice on one", { rulings: [ruling(1), ruling(1), ruling(2)] }],
    ["with a finding that there is not", { rulings: [ruling(1), ruling(2), ruling(3)] }],
    ["with a finding 0", { rulings: [ruling(0), ruling(1), ruling(2)] }],
    ["with another word", { rulings: [ruling(1, { ruling: "wrong" }), ruling(2)] }],
    ["without evidence", { rulings: [ruling(1, { evidence: " " }), ruling(2)] }],
    ["with a list alone", [ruling(1), ruling(2)]],
    ["of null", null],
    ["of nothing", undefined],
  ] as const)("%s says nothing at all", ([, answer]) => {
    expect(reading(answer)).toEqual({ unreadable: expect.any(String) });
  });

  test("that did not finish says nothing at all", () => {
    const structured = { rulings: [ruling(1), ruling(2)] };
    expect(readVerification({ text: "", finished: false, structured }, 2)).toHaveProperty("unreadable");
  });

  test("that the schema lets through is read where each finding has its ruling", () => {
    fc.assert(
      fc.property(valuesOf(verificationSchema, fc.constantFrom("Seen in a.ts", "x")), (value) => {
        const { rulings } = value as { rulings: object[] };
        const numbered = rulings.map((one, index) => ({ ...one, finding: index + 1 }));
        expect(reading({ rulings: numbered }, rulings.length)).toHaveLength(rulings.length);
      }),
    );
  });
});

describe("what a ruling does to a finding", () => {
  const finding: Finding = { category: "logic", severity: "high", title: "T", description: "D", file: "a.ts", line: 1 };
  const text = "export function run(x) {\n  if (x === null) return;\n  x.go();\n}\n";
  test.for([
    { result: "confirmed", quote: "", says: "confirmed" },
    { result: "unconfirmed", quote: "", says: "unconfirmed" },
    { result: "refuted", quote: "if (x === null)\n    return;", says: "refuted" },
    { result: "refuted", quote: "if (x === undefined) return;", says: undefined },
    { result: "refuted", quote: "", says: undefined },
    { result: "refuted", quote: "x", says: undefined },
  ] as const)("$result with the quotation $quote", ({ result, quote, says }) => {
    expect(withVerification(finding, { result, quote, evidence: "E" }, "codex", text).verification?.result).toBe(says);
  });

  test("code of a file that cannot be read refutes nothing", () => {
    expect(withVerification(finding, { result: "refuted", quote: text, evidence: "E" }, "codex", null)).toBe(finding);
  });

  test.for([
    { what: "a finding that blocks", more: {}, asked: true },
    { what: "one that is too mild to block", more: { severity: "low" as const }, asked: false },
    { what: "a named check", more: { rule: "focused-test" }, asked: true },
    { what: "a named check of security", more: { rule: "secret", category: "security" as const }, asked: false },
    { what: "a reviewer's word on security", more: { category: "security" as const }, asked: true },
  ])("$what is asked about: $asked", ({ more, asked }) => {
    expect(isVerifiable({ blocksAt: "medium" }, { ...finding, ...more })).toBe(asked);
  });
});
