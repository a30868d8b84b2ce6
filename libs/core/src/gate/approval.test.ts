import type { CompleteReport } from "@anneal/types";
import { describe, expect, test } from "vitest";
import { POLICIES } from "../policies/index.ts";
import { isMild } from "./approval.ts";

const { pass } = POLICIES["pull-request"];
const nit = { severity: "low", category: "style", title: "The name of the counter is vague", description: "" } as const;
const rejection = (parts: Partial<CompleteReport>): CompleteReport => ({
  status: "complete",
  claim: "fail",
  findings: [nit],
  summary: "Two names could be better.",
  rulings: [],
  notes: [],
  ...parts,
});

describe("a rejection with mild findings alone", () => {
  test.for([
    "Two names could be better.",
    "No critical issues were found. The counter is vague.",
    "The name of the counter should be less vague.",
    "The implementation is complete and covered by tests.",
  ])("asks for nothing else: %s", (summary) => {
    expect(isMild(pass, rejection({ summary }))).toBe(true);
  });

  test.for([
    "The login must check the password.",
    "Please restore the deleted tests.",
    "Fix the authentication bypass.",
    "I would rework the retry logic.",
    "A vague name, but there is a critical hole in the login.",
    "Do not merge before the migration is reversible.",
    "SQL injection in src/login.ts:12.",
    "The requirement of an expiry is missing.",
  ])("asks for more than it lists: %s", (summary) => {
    expect(isMild(pass, rejection({ summary }))).toBe(false);
  });

  test("asks for what its demand says, whatever the words", () => {
    expect(isMild(pass, rejection({ demand: "Tests for expired tokens." }))).toBe(false);
    expect(isMild(pass, rejection({ demand: "A less vague name of the counter." }))).toBe(true);
  });
});
