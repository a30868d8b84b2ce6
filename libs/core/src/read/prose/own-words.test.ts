import type { Contract } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { read } from "../index.ts";
import { review } from "../testing/decision-text/corpus.ts";
import { document } from "../testing/findings-document/corpus.ts";
import { verdictOf } from "../testing/hostile.ts";
import { result } from "../testing/issue-lines/corpus.ts";
import { card } from "../testing/scorecard-json/corpus.ts";
import { against, inFavour } from "../testing/sentences.ts";
import { json } from "../testing/verdict-json/corpus.ts";

const clean = document();
const places: { place: string; contract: Contract; text: (words: string) => string }[] = [
  { place: "the summary of a text", contract: "decision-text", text: (words) => review("[APPROVED]", "None", words) },
  { place: "the text before a decision", contract: "decision-text", text: (words) => review(`${words}\n\n[APPROVED]`) },
  { place: "the summary of a verdict", contract: "verdict-json", text: (summary) => json({ summary }) },
  { place: "prose around a verdict", contract: "verdict-json", text: (words) => `${words}\n\n${json({})}` },
  { place: "an extra key of a verdict", contract: "verdict-json", text: (comment) => json({ comment }) },
  { place: "prose around a scorecard", contract: "scorecard-json", text: (words) => `${card({})}\n\n${words}` },
  { place: "the notes of a scorecard", contract: "scorecard-json", text: (words) => card({ revision_notes: words }) },
  { place: "a recommendation", contract: "findings-document", text: (words) => clean.replace("See above.", words) },
  { place: "the summary of a result", contract: "issue-lines", text: (summary) => result({ summary }) },
];

describe.for(places)("in $place", ({ contract, text }) => {
  const verdict = (words: string) => {
    const report = read(contract, { text: text(words), finished: true });
    return report.status === "inconclusive" ? report.reason : verdictOf(contract, report);
  };

  test.for(inFavour)("words in favour of a pass leave it a pass: %s", (words) => expect(verdict(words)).toBe("pass"));

  test.for(against)("words against a pass make it inconclusive: %s", (words) =>
    expect(verdict(words)).toMatch(/^The answer claims a pass, but|^Nothing is listed|looks like a decision/),
  );

  test.for(against)("words against a pass count for nothing in a quotation: %s", (words) =>
    expect(verdict(`It prints "${words}" now.`)).toBe("pass"),
  );
});
