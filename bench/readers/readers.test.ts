import { expect, test } from "vitest";
import { MOST_INCONCLUSIVE, tally } from "./benches.ts";
import { CONTRACTS, readAnswers } from "./read-answers.ts";

test("every contract has its answers", () => {
  expect(CONTRACTS.toSorted()).toEqual([
    "decision-text",
    "findings-document",
    "issue-lines",
    "scorecard-json",
    "verdict-json",
  ]);
});

test.for(CONTRACTS)("honest answers in %s are read with the right verdict, or asked for again", (contract) => {
  const read = readAnswers(contract);
  const { answers, right, inconclusive, wrongPasses, wrongFails } = tally(read);
  const others = read.filter(({ meant, verdict }) => verdict !== meant);
  expect(answers).toBeGreaterThanOrEqual(60);
  expect({ wrongPasses, wrongFails }, JSON.stringify(others)).toEqual({ wrongPasses: 0, wrongFails: 0 });
  expect((100 * inconclusive) / answers, JSON.stringify(others)).toBeLessThanOrEqual(MOST_INCONCLUSIVE);
  expect(right + inconclusive).toBe(answers);
});
