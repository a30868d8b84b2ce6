import { expect, test } from "vitest";
import { read } from "./index.ts";
import { goodAnswers } from "./testing/good-answers.ts";
import { verdictOf } from "./testing/hostile.ts";

test.for(goodAnswers)("an honest $contract answer passes: $name", ({ contract, text }) => {
  const report = read(contract, { text, finished: true });
  expect(report.status === "inconclusive" ? report.reason : verdictOf(contract, report)).toBe("pass");
});
