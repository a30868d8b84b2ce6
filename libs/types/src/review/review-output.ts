import { z } from "zod";
import { Category, Lifecycle, Severity, Verification } from "./finding.ts";
import { Coverage, Usage } from "./report.ts";

/** A finding as `anneal review --format json` prints it. */
export const ReviewedFinding = z.object({
  fingerprint: z.string(),
  rule: z.string().nullable(),
  category: Category,
  severity: Severity,
  title: z.string(),
  description: z.string(),
  suggestion: z.string().nullable(),
  file: z.string().nullable(),
  line: z.int().positive().nullable(),
  endLine: z.int().positive().nullable(),
  origin: z.enum(["change", "fix", "pre-existing"]),
  status: Lifecycle,
  /** Which of several reviewers reported it. */
  seenBy: z.array(z.string()).optional(),
  verification: Verification.optional(),
});
export type ReviewedFinding = z.infer<typeof ReviewedFinding>;

/** What `anneal review --format json` prints: one verdict, bound to one base and one head. */
export const ReviewOutput = z.object({
  schemaVersion: z.literal(1),
  base: z.string(),
  /** A commit, or a tree for staged and uncommitted work. */
  head: z.string(),
  policy: z.string(),
  verdict: z.enum(["pass", "fail", "inconclusive"]),
  /** Whether the reviewer judged if the change does what was asked. */
  requirementsJudged: z.boolean(),
  summary: z.string(),
  findings: z.array(ReviewedFinding),
  coverage: Coverage,
  /** What is worth telling and changes no verdict. */
  notes: z.array(z.string()).min(1).optional(),
  reviewer: z.object({ agent: z.string(), model: z.string().nullable() }),
  usage: Usage,
  durationMs: z.number().nonnegative(),
});
export type ReviewOutput = z.infer<typeof ReviewOutput>;
