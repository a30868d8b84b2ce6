import { describe, expect, test } from "vitest";
import { read } from "../index.ts";
import { approved, rejected, review } from "../testing/decision-text/answers.ts";
import { document, unclean } from "../testing/findings-document/answers.ts";
import * as issueLines from "../testing/issue-lines/answers.ts";
import * as scorecard from "../testing/scorecard-json/answers.ts";
import { signed, signOff } from "../testing/sign-off.ts";
import * as verdict from "../testing/verdict-json/answers.ts";

type Signed = Record<string, string>;
const LABELS: Signed = {
  requirements: "Requirements",
  not_reviewed: "Not reviewed",
  conditions: "Conditions",
  decision: "Decision",
};
/** The lines of a text answer for the keys of a JSON answer. */
const inText = (fields: Signed) =>
  `## Sign-off\n\n${Object.entries(fields)
    .map(([key, value]) => `- ${LABELS[key] ?? key}: ${value}\n`)
    .join("")}`;

const texts = [
  { contract: "decision-text", passing: approved, failing: rejected.replace(signOff(), "") },
  { contract: "findings-document", passing: document(), failing: unclean },
] as const;
const jsons = [
  { contract: "verdict-json", answer: verdict.json, failing: { verdict: "needs_work", issues: [verdict.issue] } },
  { contract: "scorecard-json", answer: scorecard.card, failing: { status: "fail", approved: false } },
  { contract: "issue-lines", answer: issueLines.result, failing: { passed: false, issues: [issueLines.issue] } },
] as const;

/** The five contracts, each with a passing answer that is signed as the test says, and a failing one that is not. */
const contracts = [
  ...texts.map(({ contract, passing, failing }) => ({
    contract,
    failing,
    pass: (fields: Signed | undefined) =>
      passing.replace(`${signOff()}\n`, fields === undefined ? "" : `${inText(fields)}\n`),
  })),
  ...jsons.map(({ contract, answer, failing }) => ({
    contract,
    failing: answer({ ...failing, sign_off: undefined }),
    pass: (sign_off: Signed | undefined) => answer({ sign_off }),
  })),
];

const NONE = '"none"';
const COUNT = '"N of N met" or "none stated"';
const REFUSED: { key: keyof typeof signed; values: string[]; expected: string }[] = [
  {
    key: "requirements",
    values: [
      "met: 0 of 5",
      "4 of 5 met",
      "0 of 0 met",
      "5 of 4 met",
      "met",
      "none met",
      "none so far",
      "3 of 3 met, I think",
    ],
    expected: COUNT,
  },
  {
    key: "not_reviewed",
    values: ["tests/", "none so far", "none of the tests", "none, but tests/", ""],
    expected: NONE,
  },
  { key: "conditions", values: ["once CI is green", "none for now", "none? rename it", ""], expected: NONE },
  {
    key: "decision",
    values: ["rejected", "not approved", "approved once CI is green", "approved?", "pending"],
    expected: '"approved"',
  },
];

describe.for(contracts)("the sign-off of a $contract answer", ({ contract, pass, failing }) => {
  const reading = (text: string) => read(contract, { text, finished: true });
  const refused = (text: string, problem: unknown) =>
    expect(reading(text)).toMatchObject({ status: "inconclusive", problems: [problem] });

  test("lets it pass, and is not asked of one that fails", () => {
    expect(reading(pass(signed))).toMatchObject({ status: "complete" });
    expect(reading(pass(signed))).not.toMatchObject({ claim: "fail" });
    const report = reading(failing);
    expect(report).toMatchObject({ status: "complete" });
    expect(report).not.toMatchObject({ claim: "pass" });
  });

  test("is missed", () => {
    refused(pass(undefined), "The answer passes, but has no sign-off.");
  });

  test.for(Object.keys(signed))("is missed without its %s", (key) => {
    const fields = Object.fromEntries(Object.entries(signed).filter(([name]) => name !== key));
    refused(pass(fields), `The sign-off has no "${LABELS[key]}".`);
  });

  test.for(REFUSED.flatMap(({ key, values, expected }) => values.map((value) => ({ key, value, expected }))))(
    "is refused with the $key $value",
    ({ key, value, expected }) => {
      const problem = `The sign-off says "${value}" for "${LABELS[key]}" where a pass says ${expected}.`;
      refused(pass({ ...signed, [key]: value }), problem);
    },
  );

  test.for([
    { requirements: "3 of 3 met" },
    { requirements: "All 3 requirements are met." },
    { requirements: "3/3" },
    { requirements: "✅ 3 of 3 met" },
    { requirements: "None stated" },
    { requirements: "none stated in the request" },
    { requirements: "Not applicable" },
    { requirements: "All requirements met" },
    { requirements: "2/2 acceptance criteria met" },
    { decision: "approve" },
    { not_reviewed: "None.", conditions: "N/A" },
    { not_reviewed: "`none`", conditions: "**None**" },
    { decision: "✅ **Approved** 🚀" },
    { decision: "APPROVED" },
  ] as Signed[])("is read as it is meant: %j", (fields) => {
    expect(reading(pass({ ...signed, ...fields }))).toMatchObject({ status: "complete", findings: expect.any(Array) });
  });

  test.for([
    { requirements: "5 of 5 met", passes: true },
    { requirements: "7 of 7 met", passes: true },
    { requirements: "all requirements are met", passes: true },
    { requirements: "1 of 1 met", passes: false },
    { requirements: "none stated", passes: false },
    { requirements: "not applicable", passes: false },
  ])("where the request has five requirements, $requirements passes: $passes", ({ requirements, passes }) => {
    const answer = { text: pass({ ...signed, requirements }), finished: true };
    const problem = `The sign-off says "${requirements}" for "Requirements" where a pass says "N of N met" with all 5 of the request.`;
    expect(read(contract, answer, { requirements: 5 })).toMatchObject(
      passes ? { status: "complete" } : { status: "inconclusive", problems: [problem] },
    );
  });

  test("has no field that the form does not have", () => {
    const problem = expect.stringMatching(
      /^"- but: the login is open" is not part of the sign-off\.$|sign_off has the unknown key "but"\.$/,
    );
    refused(pass({ ...signed, but: "the login is open" }), problem);
  });
});

describe.for(texts)("the section Sign-off of a $contract answer", ({ contract, passing }) => {
  const signedAs = (end: string) => read(contract, { text: passing.replace(signOff(), end), finished: true });

  test.for([
    { what: "a field twice", end: `${signOff()}- Decision: approved\n`, problem: 'The sign-off has "Decision" twice.' },
    {
      what: "two of them",
      end: `${signOff()}\n${signOff()}`,
      problem: 'The answer has the section "Sign-off" twice.',
    },
    {
      what: "a section below it",
      end: `${signOff()}\n### Notes\n`,
      problem: '"### Notes" is not part of the sign-off.',
    },
    {
      what: "a sentence in it",
      end: `${signOff()}\nThe login is open.\n`,
      problem: '"The login is open." is not part of the sign-off.',
    },
    {
      what: "a field in a quotation",
      end: signOff().replace("- Decision", "> - Decision"),
      problem: '"> - Decision: approved" is not part of the sign-off.',
    },
    {
      what: "a field under a table's head",
      end: `${signOff()}| Conditions | fix it |\n|---|---|\n`,
      problem: 'The sign-off has "Conditions" twice.',
    },
  ])("is refused with $what", ({ end, problem }) => {
    expect(signedAs(end)).toMatchObject({ status: "inconclusive", problems: expect.arrayContaining([problem]) });
  });

  test("is refused above the summary", () => {
    const text = passing.replace(signOff(), "").replace(/#+ Summary/, (heading) => `${signOff()}\n${heading}`);
    const problem = expect.stringMatching(/^"#+ Summary" is not part of the sign-off\.$/);
    const report = read(contract, { text, finished: true });
    expect(report).toMatchObject({ status: "inconclusive", problems: expect.arrayContaining([problem]) });
  });

  test.for([
    { what: "a bold line as its title", end: signOff().replace("## Sign-off", "**Sign-off:**") },
    { what: "a plain line as its title", end: signOff().replace("## Sign-off", "Sign-off:") },
    { what: "bold labels", end: signOff().replace(/- ([^:]+):/g, "- **$1:**") },
    { what: "numbers", end: signOff().replace(/^- /gm, "1. ") },
    { what: "lines without bullets", end: signOff().replace(/^- /gm, "") },
    { what: "a fence around its lines", end: signOff().replace(/\n\n([\s\S]*)$/, "\n\n```\n$1```\n") },
    {
      what: "a table",
      end: signOff()
        .replace("\n\n", "\n\n| Item | Status |\n|---|---|\n")
        .replace(/^- ([^:]+): (.*)$/gm, "| **$1** | $2 |"),
    },
  ])("is read with $what", ({ end }) => {
    expect(signedAs(end)).toMatchObject({ status: "complete" });
  });

  test("takes the place of the closing line, where an agent that said that it ended left that out", () => {
    const text = passing.replace("\nEND OF REVIEW\n", "");
    expect(read(contract, { text, finished: true })).toMatchObject({ status: "complete" });
    expect(read(contract, { text, finished: true }, { closing: "required" })).toMatchObject({ status: "inconclusive" });
  });
});

describe.for(jsons)("the key sign_off of a $contract answer", ({ contract, answer }) => {
  const reading = (text: string) => read(contract, { text, finished: true });

  test.for([
    { key: "decision", more: '"decision": "approved"' },
    { key: "sign_off", more: `"sign_off": ${JSON.stringify(signed)}` },
  ])("is refused where $key stands twice", ({ key, more }) => {
    const text = answer({}).replace(`"${key}":`, `${more}, "${key}":`);
    expect(reading(text)).toMatchObject({
      status: "inconclusive",
      problems: [`The JSON has the key "${key}" twice in one object.`],
    });
  });

  test.for(["approved", true, [signed], {}])("is refused as %j", (sign_off) => {
    expect(reading(answer({ sign_off }))).toMatchObject({ status: "inconclusive" });
  });

  test("may stand anywhere in the object", () => {
    const { sign_off, ...rest } = JSON.parse(answer({}));
    expect(reading(JSON.stringify({ sign_off, ...rest }))).toMatchObject({ claim: "pass" });
  });
});

describe("the requirements in a sign-off agree with those that are listed", () => {
  const compliance = { met: ["Sign-up", "Reset"], unmet: [] };
  const listed = [
    {
      contract: "decision-text",
      signedAs: (Requirements: string) =>
        review("[APPROVED]\n\n### Compliance\n\n- met: Sign-up\n- met: Reset").replace("2 of 2 met", Requirements),
    },
    ...[jsons[0], jsons[1]].map(({ contract, answer }) => ({
      contract,
      signedAs: (requirements: string) => answer({ compliance, sign_off: { ...signed, requirements } }),
    })),
  ] as const;

  test.for(listed)("$contract", ({ contract, signedAs }) => {
    const reading = (requirements: string) => read(contract, { text: signedAs(requirements), finished: true });
    expect(reading("2 of 2 met")).toMatchObject({ claim: "pass" });
    for (const wrong of ["3 of 3 met", "1 of 1 met", "none stated"]) {
      const problem = `The sign-off says "${wrong}" for "Requirements" where a pass says ${COUNT}.`;
      expect(reading(wrong)).toMatchObject({ status: "inconclusive", problems: [problem] });
    }
  });
});

test("a plain statement of no issues has no sign-off: it counts only where none is asked for", () => {
  const answer = { text: "No issues found.", finished: true };
  expect(read("issue-lines", answer)).toMatchObject({
    status: "inconclusive",
    problems: ["The answer passes, but has no sign-off."],
  });
  expect(read("issue-lines", answer, { signOff: "not-asked" })).toMatchObject({ claim: "pass" });
});

test("what stands beside a passing form is short", () => {
  const reading = (summary: string) =>
    read("decision-text", { text: review("[APPROVED]", "None", summary), finished: true });
  expect(reading("It does what was asked.")).toMatchObject({ claim: "pass" });
  expect(reading("It does what was asked. ".repeat(200))).toMatchObject({
    status: "inconclusive",
    problems: [expect.stringContaining("characters beside its form where at most 3000 are read")],
  });
});
