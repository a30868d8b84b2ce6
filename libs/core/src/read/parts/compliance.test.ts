import { describe, expect, test } from "vitest";
import { readScorecardJson } from "../scorecard-json.ts";
import { report } from "../testing/scorecard-json/answers.ts";
import { signed } from "../testing/sign-off.ts";
import { readVerdictJson } from "../verdict-json.ts";

const forms = [
  { form: "verdict-json", read: readVerdictJson, answer: { verdict: "pass", issues: [], summary: "Fine." } },
  { form: "scorecard-json", read: readScorecardJson, answer: report },
];

describe.for(forms)("the requirements of a $form", ({ read, answer }) => {
  const given = (compliance: unknown, requirements: string) => {
    const sign_off = { ...signed, requirements };
    return read({ text: JSON.stringify({ ...answer, compliance, sign_off }), finished: true });
  };

  test.for([
    { what: "all met", compliance: { met: ["A"], unmet: [] }, comes: { claim: "pass", compliance: { met: ["A"] } } },
    {
      what: "one unmet",
      compliance: { met: [], unmet: ["B"] },
      comes: { status: "complete", compliance: { unmet: ["B"] } },
    },
    { what: "none told", compliance: null, comes: { claim: "pass" } },
    { what: "a third list", compliance: { met: [], partial: ["C"] }, comes: { status: "inconclusive" } },
    { what: "no lists", compliance: "all met", comes: { status: "inconclusive" } },
    { what: "an empty one", compliance: { unmet: [""] }, comes: { status: "inconclusive" } },
  ])("$what", ({ what, compliance, comes }) => {
    expect(given(compliance, what === "all met" ? "1 of 1 met" : "none stated")).toMatchObject(comes);
  });
});
