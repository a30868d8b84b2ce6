import type { CompleteReport, Finding, TrackedFinding } from "@anneal/types";
import { expect, test } from "vitest";
import { blocks } from "../findings/blocking.ts";
import { POLICIES } from "../policies/index.ts";
import { judge } from "./gate.ts";

const finding = (
  result?: "confirmed" | "refuted" | "unconfirmed",
  severity: Finding["severity"] = "high",
): Finding => ({
  category: "logic",
  severity,
  title: "T",
  description: "D",
  ...(result === undefined ? {} : { verification: { by: "codex", result, evidence: "E" } }),
});

function verdictOf(findings: Finding[], more: Partial<CompleteReport> = {}) {
  const report: CompleteReport = {
    status: "complete",
    claim: "fail",
    findings,
    summary: "S",
    rulings: [],
    notes: [],
    ...more,
  };
  const tracked = findings.map(
    (one, index): TrackedFinding => ({
      fingerprint: `f${index}`,
      finding: one,
      lifecycle: "new",
      origin: { kind: "change" },
      disposition: { kind: "open" },
      firstRound: 1,
      lastRound: 1,
    }),
  );
  return judge(POLICIES.gate, { report, requirementsJudged: true, round: 1, findings: tracked });
}

test.for([
  { what: "nobody was asked", findings: [finding()], result: "fail" },
  { what: "it is confirmed", findings: [finding("confirmed")], result: "fail" },
  { what: "it is refuted", findings: [finding("refuted")], result: "pass" },
  { what: "it is not confirmed", findings: [finding("unconfirmed")], result: "pass" },
  { what: "one of two is confirmed", findings: [finding("refuted"), finding("confirmed")], result: "fail" },
  { what: "one of two was not asked about", findings: [finding("refuted"), finding()], result: "fail" },
])("a rejection for a blocking finding where $what: $result", ({ findings, result }) => {
  expect(verdictOf(findings).result).toBe(result);
});

test.for([
  { what: "names no blocking finding", findings: [finding(undefined, "low")], more: {} },
  { what: "has unmet requirements", findings: [finding("refuted")], more: { compliance: { met: [], unmet: ["R"] } } },
])("a rejection that $what still rejects", ({ findings, more }) => {
  expect(verdictOf(findings, more).result).toBe("fail");
});

test("a pass over unconfirmed findings says so", () => {
  expect(verdictOf([finding("unconfirmed")], { claim: "pass" }).reason).toBe("no confirmed finding at or above high");
});

test("what is too mild never blocks, confirmed or not", () => {
  expect(blocks({ blocksAt: "high" }, finding("confirmed", "medium"))).toBe(false);
});

test.for([
  { what: "was refuted", findings: [finding("refuted")], result: "inconclusive" },
  { what: "is confirmed", findings: [finding("confirmed")], result: "fail" },
])("an answer that nobody signed off and whose blocking finding $what: $result", ({ findings, result }) => {
  expect(verdictOf(findings, { signedOff: false }).result).toBe(result);
  expect(verdictOf(findings, { claim: "pass", signedOff: false }).result).toBe(result);
});
