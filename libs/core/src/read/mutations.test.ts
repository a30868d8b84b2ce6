import type { Report } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { verdictOf } from "./testing/hostile.ts";
import { markedAnswers } from "./testing/marked-answers.ts";
import { mutate, random, survivors, textOf, traces, track } from "./testing/mutations.ts";
import { readAsked } from "./testing/sign-off.ts";

// 12 answers, 1,000 mutations each.
const PER_ANSWER = 1000;
const SEED = 20260109;

/*
 * What is left out, and why. A mutation can turn a failing answer into a flawless passing one only by destroying every token
 * that makes it fail: all of the marked decisions, severities, scores and counts. No reader could tell such a text from an
 * honest pass, so those mutants are left out, and nothing else is: one surviving token has to be enough. In the same way a
 * passing answer whose marked tokens were broken, moved, repeated or joined by another answer's says something else than
 * before, and only mutants that kept all of them, once and in order, have to be read as the same report.
 */
describe.for(markedAnswers.map((answer, index) => ({ ...answer, index })))("$contract: $name", (answer) => {
  const { contract, verdict, index } = answer;
  const original = track(answer.marked);
  const others = markedAnswers
    .filter((other) => other.contract === contract && other.name !== answer.name)
    .map((other) => track(other.marked, 1_000_000));
  const whole = readAsked(contract, { text: original.text, finished: true });

  test(`is read as a ${verdict} before it is mutated`, () => {
    expect(whole.status === "inconclusive" ? whole.reason : verdictOf(contract, whole)).toBe(verdict);
  });

  const title =
    verdict === "fail"
      ? "never passes under mutation while one token that makes it fail survives"
      : "passes under mutation only as an equal report";
  test(title, () => {
    const draw = random(SEED + index);
    let judged = 0;
    for (let run = 0; run < PER_ANSWER; run++) {
      const other = others[draw(others.length)];
      const mutant = mutate(original.cells, other?.cells ?? [], draw);
      const text = textOf(mutant.cells);
      const report = readAsked(contract, { text, finished: true });
      const passes = verdictOf(contract, report) === "pass";
      if (verdict === "fail") {
        const blocking = survivors(mutant.cells, original.spans).filter((span) => span.blocking);
        if (blocking.length === 0) continue;
        judged++;
        if (passes) expect.fail(`${mutant.names.join(", ")} made it pass:\n${text}`);
      } else {
        const kept = survivors(mutant.cells, original.spans);
        const length = original.spans.reduce((total, { start, end }) => total + end - start, 0);
        const same =
          kept.map(({ start }) => start).join() === original.spans.map(({ start }) => start).join() &&
          traces(mutant.cells, original.spans) === length;
        if (!same || survivors(mutant.cells, other?.spans ?? []).length > 0) continue;
        judged++;
        if (passes) expect(judgement(report), `${mutant.names.join(", ")} gave\n${text}`).toEqual(judgement(whole));
      }
    }
    // The exclusions must stay the exception, or the property would say nothing.
    expect(judged).toBeGreaterThan(PER_ANSWER / 5);
  });
});

function judgement(report: Report): unknown {
  if (report.status === "inconclusive") return report;
  return {
    claim: report.claim,
    scores: report.scores,
    rulings: report.rulings.map(({ fingerprint, ruling }) => ({ fingerprint, ruling })),
    compliance: report.compliance,
    findings: report.findings.map(({ severity, category, file, line, endLine, native }) => ({
      severity,
      category,
      file,
      line,
      endLine,
      native,
    })),
  };
}
