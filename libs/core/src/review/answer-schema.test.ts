import type { Contract } from "@anneal/types";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { read } from "../read/index.ts";
import { report } from "../read/testing/scorecard-json/answers.ts";
import { signed } from "../read/testing/sign-off.ts";
import { answerSchema } from "./answer-schema.ts";
import { nodesOf, valuesOf } from "./testing/schema-values.ts";

const STRUCTURED = ["verdict-json", "scorecard-json", "issue-lines"] as const satisfies Contract[];
/** What passes but for its sign-off. */
const PASSES: Record<(typeof STRUCTURED)[number], Fields> = {
  "verdict-json": { verdict: "pass", issues: [], summary: "Fine." },
  "scorecard-json": report,
  "issue-lines": { passed: true, issues: [], summary: "Fine." },
};
const words = fc.constantFrom("The sum is off by one.", "Reads well", "src/a.ts", "Übergröße");

type Fields = Record<string, unknown>;
const readOf = (contract: Contract, structured: unknown) => read(contract, { text: "", finished: true, structured });

/** Whether the reader finds nothing wrong with the form: what fails anyway is read in spite of it, and says so. */
function isWhole(contract: Contract, structured: unknown): boolean {
  const report = readOf(contract, structured);
  return report.status === "complete" && report.partlyRead !== true;
}

/** What a schema cannot say: fields that have to agree with each other. */
function consistent(contract: Contract, value: Fields): Fields {
  const sign_off = signed;
  const rulings = ((value.rulings ?? []) as Fields[]).map((one, at) => ({ ...one, fingerprint: `f${at}` }));
  if (contract === "scorecard-json") return { ...value, approved: value.status === "pass", rulings, sign_off };
  if (contract === "issue-lines") return { ...value, sign_off };
  const issues = (value.issues as Fields[]).map((issue) => {
    const start = issue.lineStart as number | null;
    return { ...issue, lineEnd: !start || issue.lineEnd === null ? null : start + (issue.lineEnd as number) };
  });
  return { ...value, issues, rulings, sign_off };
}

describe.for(STRUCTURED)("the schema of %s", (contract) => {
  const schema = answerSchema(contract)!;

  test("keeps to the subset that every provider takes", () => {
    for (const [path, node] of nodesOf(schema)) {
      const allowed = ["type", "properties", "required", "additionalProperties", "items", "enum"];
      expect(Object.keys(node).filter((key) => !allowed.includes(key), path)).toEqual([]);
      if (node.type !== "object") continue;
      expect(node.additionalProperties, path).toBe(false);
      expect(node.required, path).toEqual(Object.keys(node.properties!));
    }
  });

  test("lets nothing through that the reader does not read", () => {
    fc.assert(
      fc.property(valuesOf(schema, words), (value) => {
        expect(isWhole(contract, consistent(contract, value as Fields))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  test("asks for every key whose absence the reader refuses, and lets null stand only where it does not", () => {
    const [sample] = fc.sample(valuesOf(schema, words), { numRuns: 1, seed: 7 });
    const good = consistent(contract, sample as Fields);
    for (const [key, node] of Object.entries(
      (schema as { properties: Record<string, { type: unknown }> }).properties,
    )) {
      const without = Object.fromEntries(Object.entries(good).filter(([name]) => name !== key));
      if (key === "sign_off") continue;
      const nullable = Array.isArray(node.type);
      const optional = nullable || key === "rulings";
      expect(isWhole(contract, without), `without ${key}`).toBe(optional);
      if (key !== "rulings") expect(isWhole(contract, { ...good, [key]: null }), `null ${key}`).toBe(nullable);
    }
  });

  test("asks for the sign-off, without which nothing passes", () => {
    const pass = { ...PASSES[contract], sign_off: signed };
    expect((schema as { required: string[] }).required).toContain("sign_off");
    expect(isWhole(contract, pass)).toBe(true);
    expect(isWhole(contract, { ...pass, sign_off: undefined })).toBe(false);
    expect(isWhole(contract, { ...pass, sign_off: null })).toBe(false);
  });

  test("has exactly the words that the reader knows", () => {
    fc.assert(
      fc.property(valuesOf(schema, words), (value) => {
        const good = consistent(contract, value as Fields);
        const [list] = ["issues", "findings"].flatMap((key) => (key in good ? [key] : []));
        const items = good[list!] as Fields[];
        fc.pre(items.length > 0);
        const bad = { ...good, [list!]: items.map((one) => ({ ...one, severity: "fatal" })) };
        expect(isWhole(contract, bad)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

test.for(["decision-text", "findings-document"] as const)("%s is text and has no schema", (contract) => {
  expect(answerSchema(contract)).toBeUndefined();
});

describe("a structured answer is read, never the text next to it", () => {
  const pass = { verdict: "pass", issues: [], summary: "Fine.", rulings: [], sign_off: signed };
  const table: [string, string, object, "pass" | "fail" | "inconclusive"][] = [
    ["the same object", JSON.stringify(pass, null, 2), pass, "pass"],
    ["nothing", "", pass, "pass"],
    ["harmless words", "I read all three files.", pass, "pass"],
    ["an issue line", "- src/a.ts:3: error: the lock is never released", pass, "inconclusive"],
    ["another verdict", '{"verdict":"needs_work","issues":[],"summary":"Bad."}', pass, "inconclusive"],
    ["a torn object", '{"verdict":"needs_wo', pass, "pass"],
    ["a pass, where the answer fails", JSON.stringify(pass), { ...pass, verdict: "needs_work" }, "fail"],
    ["an open fence, where the answer fails", "```", { ...pass, verdict: "needs_work" }, "fail"],
  ];
  test.for(table)("%s beside it", ([, text, structured, expected]) => {
    const report = read("verdict-json", { text, finished: true, structured });
    expect(report.status === "complete" ? report.claim : report.status).toBe(expected);
  });

  test("in the other contracts too", () => {
    const structured = { ...PASSES["issue-lines"], sign_off: signed };
    const beside = (text: string) => read("issue-lines", { text, finished: true, structured });
    expect(beside("All read.")).toMatchObject({ claim: "pass" });
    expect(beside('{"passed":false,"issues":[],"summary":"Broken."}').status).toBe("inconclusive");
  });
});
