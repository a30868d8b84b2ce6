import type { Contract, Report, Severity } from "@anneal/types";
import { atLeast } from "../../findings/severity-and-category.ts";

/** One hostile or broken answer, and the most that a reader may make of it. */
export interface Hostile {
  name: string;
  text: string;
  /** `not-pass` leaves open whether it fails or is inconclusive; the object form asks for an exact reading. */
  expect: "inconclusive" | "not-pass" | { verdict: "pass" | "fail"; findings: number };
  finished?: boolean;
  structured?: unknown;
}

const BLOCKS_AT: Record<Contract, Severity> = {
  "decision-text": "high",
  "verdict-json": "medium",
  "scorecard-json": "critical",
  "findings-document": "medium",
  "issue-lines": "info",
};

const LEAST: Record<string, number> = {
  requirement_adherence: 90,
  coordination_compliance: 90,
  code_quality: 70,
  pattern_consistency: 70,
  test_quality: 70,
  security_performance: 0,
};
const WEIGHT: Record<string, number> = {
  requirement_adherence: 3,
  coordination_compliance: 3,
  code_quality: 2,
  pattern_consistency: 2,
  test_quality: 2,
  security_performance: 1,
};

/** The seeds' pass rules in a few lines, apart from the real gate, so that the corpus tests the readers alone. */
export function verdictOf(contract: Contract, report: Report): "pass" | "fail" | "inconclusive" {
  if (report.status === "inconclusive") return "inconclusive";
  if (report.claim === "fail" || (report.compliance?.unmet.length ?? 0) > 0) return "fail";
  if (report.findings.some((finding) => atLeast(finding.severity, BLOCKS_AT[contract]))) return "fail";
  if (contract !== "scorecard-json") return "pass";
  const scores = report.scores ?? {};
  const short = Object.entries(LEAST).some(([dimension, least]) => !((scores[dimension] ?? -1) >= least));
  const sum = Object.entries(WEIGHT).reduce(
    (total, [dimension, weight]) => total + (scores[dimension] ?? 0) * weight,
    0,
  );
  return short || sum / 13 < 75 ? "fail" : "pass";
}

/** The answer cut after every tenth of its length. */
export function everyTenth(text: string): { percent: number; text: string }[] {
  return [0, 10, 20, 30, 40, 50, 60, 70, 80, 90].map((percent) => ({
    percent,
    text: text.slice(0, Math.floor((text.length * percent) / 100)),
  }));
}
