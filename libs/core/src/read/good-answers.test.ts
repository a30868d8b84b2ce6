import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { goodAnswers } from "./testing/good-answers.ts";
import { verdictOf } from "./testing/hostile.ts";
import { readAsked } from "./testing/sign-off.ts";

test.for(goodAnswers)("an honest $contract answer passes: $name", ({ contract, text }) => {
  const report = readAsked(contract, { text, finished: true });
  expect(report.status === "inconclusive" ? report.reason : verdictOf(contract, report)).toBe("pass");
});

test("the answer that the documentation shows passes", () => {
  const page = readFileSync(new URL("../../../../docs/features.md", import.meta.url), "utf8");
  const text = /```\n([^`]*END OF REVIEW\n)```/.exec(page)?.[1] ?? "";
  const rulings = [{ fingerprint: "3b737677394a", ruling: "fixed", evidence: expect.any(String) }];
  expect(readAsked("decision-text", { text, finished: true })).toMatchObject({ claim: "pass", rulings });
});
