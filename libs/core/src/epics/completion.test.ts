import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { latestCompletionReport, readCompletionReport } from "./completion.ts";

const CRITERIA = [
  "The 11th call is refused",
  "A bucket fills again",
  "Requests that could not be parsed get a 400: always",
];
const json = (...entries: unknown[]) => JSON.stringify({ acceptance_criteria: entries }, null, 2);
const under = (report: string) => `I built it.\n\n## Completion Report\n\n${report}\n`;
const fenced = (text: string) => `\`\`\`json\n${text}\n\`\`\``;
const met = (criterion: unknown, over: object = {}) => ({ criterion, met: true, evidence: "src/bucket.ts", ...over });
const GOOD = under(fenced(json(met(1), met(2), met(3))));

/** One letter for each criterion: a for addressed, m for missing. */
const read = (answer: string) =>
  readCompletionReport(answer, CRITERIA)
    .criteria.map(({ status }) => status[0])
    .join("");

describe("a report that addresses every criterion", () => {
  test.for([
    { what: "JSON in a fence, by number", answer: GOOD },
    { what: "JSON without a fence", answer: under(json(met(1), met(2), met(3))) },
    { what: "by the criterion's words", answer: under(fenced(json(...CRITERIA.map((one) => met(one))))) },
    {
      what: "words with other capitals and marks",
      answer: under(fenced(json(met("the 11TH call is refused."), met("**A bucket** fills again"), met(3)))),
    },
    { what: "numbers as text", answer: under(fenced(json(met("1"), met("AC-2"), met("Criterion 3")))) },
    {
      what: "more keys than were asked for",
      answer: under(
        fenced(
          JSON.stringify({ ticket_id: "bucket", acceptance_criteria: [1, 2, 3].map((n) => met(n, { note: "x" })) }),
        ),
      ),
    },
    { what: "a checked list", answer: under(CRITERIA.map((one) => `- [x] ${one} — tests/bucket.test.ts`).join("\n")) },
    {
      what: "a numbered list",
      answer: under(CRITERIA.map((one, n) => `${n + 1}. ✅ ${one}: tests/bucket.test.ts`).join("\n")),
    },
    {
      what: "a list that says met",
      answer: under(CRITERIA.map((one) => `- **${one}**: met, see src/bucket.ts`).join("\n")),
    },
    {
      what: "evidence in the lines below",
      answer: under(CRITERIA.map((one) => `- [x] ${one}\n  Evidence: \`src/bucket.ts\``).join("\n")),
    },
    {
      what: "a reworded list by number",
      answer: under(
        "1. [x] The 11th call is now refused - a.ts\n2. [x] bucket fills again after 1s - b.ts\n3. [x] Requests that could not be parsed get 400 - c.ts",
      ),
    },
    {
      what: "a table",
      answer: under(
        `| # | Criterion | Status | Evidence |\n|---|---|---|---|\n${CRITERIA.map((one, n) => `| ${n + 1} | ${one} | ✅ met | src/bucket.ts |`).join("\n")}`,
      ),
    },
    {
      what: "a table without numbers",
      answer: under(
        `| Criterion | Met | Evidence |\n|---|---|---|\n${CRITERIA.map((one) => `| ${one} | yes | a.ts |`).join("\n")}`,
      ),
    },
    { what: "a bold heading", answer: GOOD.replace("## Completion Report", "**Completion Report**") },
    {
      what: "a list with a heading after it",
      answer: `${under(CRITERIA.map((one) => `- [x] ${one} — a.ts`).join("\n"))}\n## Notes\n\n- [ ] The 11th call is refused\n`,
    },
    { what: "Windows line ends and colours", answer: `\u001b[32mDone\u001b[0m\n${GOOD}`.replaceAll("\n", "\r\n") },
    {
      what: "a draft before the last word",
      answer: `## Completion Report\n\n- [ ] The 11th call is refused\n\n${GOOD}`,
    },
  ])("$what", ({ answer }) => {
    expect(read(answer)).toBe("aaa");
  });

  test("keeps the evidence", () => {
    const { criteria } = readCompletionReport(
      under(`- [x] ${CRITERIA[0]} — met: tests/bucket.test.ts\n  and \`npm test\``),
      CRITERIA,
    );
    expect(criteria[0]).toEqual({
      criterion: "The 11th call is refused",
      status: "addressed",
      evidence: "tests/bucket.test.ts and `npm test`",
      because: null,
    });
  });

  test.for(["src/todo.ts", "src/unmet.js and tests/pending/deferred.test.ts", "`lib/incomplete.py`, line 3"])(
    "the name of a file is no confession: %s",
    (evidence) => {
      expect(read(under(fenced(json(met(1, { evidence }), met(2), met(3)))))).toBe("aaa");
    },
  );

  test("a ticket without criteria has nothing to report", () => {
    expect(readCompletionReport("", [])).toEqual({ criteria: [] });
  });
});

describe("what is not there or cannot be read is missing", () => {
  test.for([
    { what: "nothing at all", answer: "", gives: "mmm" },
    { what: "prose only", answer: "All three acceptance criteria are met.", gives: "mmm" },
    { what: "a report without its heading", answer: fenced(json(met(1), met(2), met(3))), gives: "mmm" },
    { what: "a heading in code", answer: `\`\`\`\n${GOOD.replaceAll("```", "~~~")}\n\`\`\``, gives: "mmm" },
    {
      what: "a quoted report",
      answer: GOOD.split("\n")
        .map((line) => `> ${line}`)
        .join("\n"),
      gives: "mmm",
    },
    { what: "a criterion that is left out", answer: under(fenced(json(met(1), met(3)))), gives: "ama" },
    {
      what: "a criterion that is not met",
      answer: under(fenced(json(met(1), met(2, { met: false, evidence: "no time" }), met(3)))),
      gives: "ama",
    },
    {
      what: "no evidence",
      answer: under(fenced(json(met(1), met(2, { evidence: "" }), met(3, { evidence: "-" })))),
      gives: "amm",
    },
    {
      what: "evidence that takes it back",
      answer: under(
        fenced(json(met(1), met(2, { evidence: "not implemented yet" }), met(3, { evidence: "will be added later" }))),
      ),
      gives: "amm",
    },
    {
      what: "two answers that differ",
      answer: under(fenced(json(met(1), met(1, { met: false }), met(2), met(3)))),
      gives: "maa",
    },
    { what: "numbers out of range", answer: under(fenced(json(met(0), met(4), met(-1), met(1.5)))), gives: "mmm" },
    { what: "met as text", answer: under(fenced(json(met(1, { met: "true" })))), gives: "mmm" },
    {
      what: "broken JSON",
      answer: under(fenced('{ "acceptance_criteria": [ { "criterion": 1, "met": true')),
      gives: "mmm",
    },
    {
      what: "a key twice",
      answer: under(
        fenced('{ "acceptance_criteria": [ { "criterion": 1, "met": false, "met": true, "evidence": "x" } ] }'),
      ),
      gives: "mmm",
    },
    { what: "two reports in one", answer: under(`${fenced(json(met(1)))}\n${fenced(json(met(2)))}`), gives: "mmm" },
    { what: "an answer that was cut", answer: GOOD.slice(0, -6), gives: "mmm" },
    {
      what: "an unchecked box",
      answer: under(CRITERIA.map((one, n) => `- [${n === 1 ? " " : "x"}] ${one} — a.ts`).join("\n")),
      gives: "ama",
    },
    {
      what: "a checked box without evidence",
      answer: under(CRITERIA.map((one) => `- [x] ${one}`).join("\n")),
      gives: "mmm",
    },
    {
      what: "a list that does not say",
      answer: under(CRITERIA.map((one) => `- ${one} — a.ts`).join("\n")),
      gives: "mmm",
    },
    {
      what: "a checked box beside another word",
      answer: under(`- [x] ${CRITERIA[0]}: skipped, see a.ts\n- [x] ${CRITERIA[1]}: done in b.ts`),
      gives: "mam",
    },
    { what: "a cross", answer: under(`- ❌ ${CRITERIA[0]} — a.ts\n- ✅ ${CRITERIA[1]} — b.ts`), gives: "mam" },
    {
      what: "a checked box with honest words",
      answer: under(`- [x] ${CRITERIA[0]} — partially done in a.ts\n- [x] ${CRITERIA[1]} — could not test it`),
      gives: "mmm",
    },
    {
      what: "another numbered list",
      answer: under("1. [x] Wrote the code - a.ts\n2. [x] Ran the tests - all pass\n3. [x] Cleaned up - b.ts"),
      gives: "mmm",
    },
    {
      what: "a table that says partial",
      answer: under(`| ${CRITERIA[0]} | partial | a.ts |\n| ${CRITERIA[1]} | yes | b.ts |`),
      gives: "mam",
    },
  ])("$what: $gives", ({ answer, gives }) => {
    expect(read(answer)).toBe(gives);
  });

  test("and says why", () => {
    const why = (answer: string) => readCompletionReport(answer, CRITERIA).criteria[0]?.because;
    expect(why("x")).toBe('the answer has no heading "Completion Report"');
    expect(why(under(fenced(json(met(2)))))).toBe("the completion report does not mention it");
    expect(why(under(fenced(json(met(1, { met: false, evidence: "no\ntime" })))))).toBe(
      "the completion report does not say that it is met: no time",
    );
    expect(why(under(fenced(json(met(1, { evidence: "" })))))).toBe("the completion report gives no evidence for it");
    expect(why(under(fenced("{")))).toBe("the completion report does not mention it");
  });

  test("a criterion that begins like another is distinguished", () => {
    const criteria = ["Calls are refused", "Calls are refused after ten"];
    const report = readCompletionReport(under("- [x] Calls are refused after ten — a.ts"), criteria);
    expect(report.criteria.map(({ status }) => status)).toEqual(["missing", "addressed"]);
  });

  test("no cut of a good report addresses all criteria, and no mutation throws (property)", () => {
    const whole = GOOD.trimEnd();
    for (let length = 0; length < whole.length; length++) expect(read(whole.slice(0, length))).not.toBe("aaa");
    fc.assert(
      fc.property(fc.nat(GOOD.length), fc.nat(30), fc.string(), (at, gone, put) => {
        expect(read(GOOD.slice(0, at) + put + GOOD.slice(at + gone))).toHaveLength(3);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("of several answers about one piece of work", () => {
  const statuses = (...answers: string[]) =>
    latestCompletionReport(answers, CRITERIA)
      .criteria.map(({ status }) => status[0])
      .join("");

  test.for([
    { what: "a repair that does not repeat the report", answers: [GOOD, "Fixed the test."], gives: "aaa" },
    { what: "a later report", answers: [GOOD, under(fenced(json(met(1))))], gives: "amm" },
    { what: "a later report that cannot be read", answers: [GOOD, under("```json\n{")], gives: "mmm" },
    { what: "no report in any", answers: ["a", "b"], gives: "mmm" },
    { what: "no answer", answers: [], gives: "mmm" },
  ])("$what: $gives", ({ answers, gives }) => {
    expect(statuses(...answers)).toBe(gives);
  });
});
