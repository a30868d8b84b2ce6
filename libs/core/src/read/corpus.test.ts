import type { Contract } from "@anneal/types";
import { describe, expect, test } from "vitest";
import * as decisionText from "./testing/decision-text/corpus.ts";
import * as findingsDocument from "./testing/findings-document/corpus.ts";
import { everyTenth, type Hostile, verdictOf } from "./testing/hostile.ts";
import * as issueLines from "./testing/issue-lines/corpus.ts";
import * as scorecard from "./testing/scorecard-json/corpus.ts";
import { readAsked } from "./testing/sign-off.ts";
import * as verdict from "./testing/verdict-json/corpus.ts";

const corpora: { contract: Contract; corpus: Hostile[]; whole: Record<string, string> }[] = [
  {
    contract: "decision-text",
    corpus: decisionText.corpus,
    whole: { "an approval": decisionText.approved, "a rejection": decisionText.rejected },
  },
  {
    contract: "verdict-json",
    corpus: verdict.corpus,
    whole: { "a pass": verdict.passing, "a failure": verdict.failing },
  },
  {
    contract: "scorecard-json",
    corpus: scorecard.corpus,
    whole: { "a pass": scorecard.passing, "a failure": scorecard.failing },
  },
  {
    contract: "findings-document",
    corpus: findingsDocument.corpus,
    whole: { "a clean document": findingsDocument.clean, "an unclean document": findingsDocument.unclean },
  },
  {
    contract: "issue-lines",
    corpus: issueLines.corpus,
    whole: {
      "a statement of no issues": issueLines.passing,
      "a passing result": issueLines.passingJson,
      "a failing result": issueLines.failingJson,
    },
  },
];

describe.for(corpora)("a hostile or broken $contract answer", ({ contract, corpus, whole }) => {
  test("is one of at least 60 in the corpus, each with its own name", () => {
    expect(new Set(corpus.map(({ name }) => name)).size).toBe(corpus.length);
    expect(corpus.length).toBeGreaterThanOrEqual(60);
  });

  test.for(corpus)("is never read as more than it says: $name", (hostile) => {
    const { text, structured, finished = true, expect: expected } = hostile;
    const report = readAsked(contract, { text, finished, ...("structured" in hostile ? { structured } : {}) });
    const verdict = verdictOf(contract, report);
    if (expected === "not-pass") expect(verdict).not.toBe("pass");
    else if (expected === "inconclusive")
      expect(report).toEqual({
        status: "inconclusive",
        reason: expect.stringMatching(/^(?!The answer could not be read:).{12,}\.$/s),
        ...(finished ? { problems: expect.arrayContaining([expect.any(String)]) } : {}),
      });
    else {
      expect({ verdict, findings: report.status === "complete" ? report.findings.length : report.reason }).toEqual(
        expected,
      );
    }
  });

  test.for(Object.entries(whole).flatMap(([name, text]) => everyTenth(text).map((cut) => ({ name, ...cut }))))(
    "is inconclusive when $name is cut at $percent percent",
    ({ text }) => expect(readAsked(contract, { text, finished: true }).status).toBe("inconclusive"),
  );
});

test("issue lines that were cut still count as far as they go", () => {
  for (const { text } of everyTenth(issueLines.failing)) {
    expect(verdictOf("issue-lines", readAsked("issue-lines", { text, finished: true }))).not.toBe("pass");
  }
});
