import type { CompleteReport, Finding, TrackedFinding } from "@anneal/types";
import { expect, test } from "vitest";
import { track } from "../lineage/lineage.ts";
import { POLICIES } from "../policies/index.ts";
import { mergeParts } from "../review/merge-parts.ts";
import { judge } from "./gate.ts";

const blocker: Finding = {
  category: "logic",
  severity: "high",
  title: "A job is lost",
  description: "",
  file: "a.ts",
  line: 3,
};
const report: CompleteReport = {
  status: "complete",
  claim: "fail",
  findings: [blocker],
  summary: "",
  rulings: [],
  notes: ['"- another one" is neither an issue nor the word "None".'],
  partlyRead: true,
};
const entry = (disposition: TrackedFinding["disposition"]): TrackedFinding => ({
  fingerprint: "f1",
  finding: blocker,
  lifecycle: "persisting",
  origin: { kind: "change" },
  disposition,
  firstRound: 1,
  lastRound: 2,
});
const verdict = (one: CompleteReport, disposition: TrackedFinding["disposition"]) =>
  judge(POLICIES.gate, { report: one, requirementsJudged: true, round: 2, findings: [entry(disposition)] }).result;

test("a report that was read in part fails, and does not pass when a person dismisses what was read", () => {
  const dismissed = {
    kind: "dismissed",
    reason: "by design",
    person: "Robin",
  } as unknown as TrackedFinding["disposition"];
  const { partlyRead: _, ...whole } = report;
  expect(verdict(report, { kind: "open" })).toBe("fail");
  expect(verdict(whole, dismissed)).toBe("pass");
  expect(verdict(report, dismissed)).toBe("inconclusive");
});

test("its silence closes no earlier finding", () => {
  const seen = { round: 2, head: "h", standing: [], regions: [], renames: {}, lastFix: undefined };
  const { partlyRead: _, ...whole } = { ...report, findings: [] };
  const kindAfter = (one: CompleteReport) =>
    track([entry({ kind: "open" })], { ...seen, report: one })[0]?.disposition.kind;
  expect(kindAfter(whole)).toBe("fixed");
  expect(kindAfter({ ...whole, partlyRead: true })).toBe("open");
});

test("one part of several that was read in part makes the whole so", () => {
  const { partlyRead: _, ...whole } = report;
  const parts = [whole, report].map((one) => ({ report: one, files: ["a.ts"] }));
  expect(mergeParts(parts, 2, [])).toMatchObject({ partlyRead: true });
  expect(mergeParts([{ report: whole, files: ["a.ts"] }], 1, [])).not.toHaveProperty("partlyRead");
});
