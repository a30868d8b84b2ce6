import { z } from "zod";
import { BoundChecks } from "../loop/bound-checks.ts";
import { ItemRef } from "../loop/item-ref.ts";
import { PlayedBy } from "../loop/round.ts";
import { Stage } from "../loop/stage.ts";
import { Outcome } from "../policy.ts";
import { Category, Disposition, Lifecycle, Origin, Severity, Verification } from "../review/finding.ts";
import { Coverage } from "../review/report.ts";

/** What was reviewed, by whom, with what result. */
export const ApiCertificate = z.object({
  /** First, for nobody may read a pass as more than it is. */
  notJudged: z.array(z.string()),
  schemaVersion: z.literal(1),
  item: ItemRef.extend({ title: z.string() }),
  loop: z.string(),
  branch: z.string().nullable(),
  base: z.string(),
  head: z.string().nullable(),
  documents: z.string().optional(),
  /** Whether the verdict passes and is about what the branch holds now. */
  holds: z.boolean(),
  verdict: z.object({
    result: z.enum(["pass", "fail", "inconclusive"]),
    reason: z.string(),
    requirementsJudged: z.boolean(),
  }),
  stage: Stage,
  outcome: Outcome.nullable(),
  detail: z.string(),
  policy: z.object({ name: z.string(), hash: z.string(), because: z.string() }),
  agents: z.record(z.string(), z.string()),
  promptsHash: z.string(),
  unreviewed: z.array(z.string()).optional(),
  /** What it was checked by besides, and what the last run of that came to. */
  checks: z.object({
    testCommand: BoundChecks.shape.testCommand,
    result: z.enum(["passed", "failed", "not-configured", "not-run"]),
  }),
  reviewers: z.array(PlayedBy),
  coverage: Coverage.nullable(),
  /** Secrets in its commits that no person has ruled on, by their locations; null if these could not be searched. */
  secrets: z.array(z.object({ fingerprint: z.string(), said: z.string() })).nullable(),
  rounds: z.array(
    z.object({
      number: z.int(),
      head: z.string(),
      reviewedAt: z.string(),
      verdict: z.enum(["pass", "fail", "inconclusive"]),
      reason: z.string(),
      findings: z.record(Severity, z.int()),
      by: PlayedBy,
    }),
  ),
  findings: z.array(
    z.object({
      fingerprint: z.string(),
      rule: z.string().nullable(),
      category: Category,
      severity: Severity,
      title: z.string(),
      file: z.string().nullable(),
      line: z.int().nullable(),
      firstRound: z.int(),
      lastRound: z.int(),
      lifecycle: Lifecycle,
      origin: Origin,
      disposition: Disposition,
      seenBy: z.array(z.string()).optional(),
      verification: Verification.optional(),
    }),
  ),
  /** Accepted findings, and on whose word. */
  accepted: z.array(
    z.object({
      fingerprint: z.string(),
      severity: Severity,
      title: z.string(),
      file: z.string().nullable(),
      line: z.int().nullable(),
      how: z.enum(["dismissed", "accepted-risk", "deferred", "with-the-change", "below-threshold", "not-confirmed"]),
      by: z.string().nullable(),
      reason: z.string().nullable(),
      at: z.string().nullable(),
    }),
  ),
  decisions: z.array(z.object({ at: z.string(), by: z.string(), what: z.string(), note: z.string().nullable() })),
  usage: z.object({ tokens: z.number(), costUsd: z.number() }),
  startedAt: z.string(),
  lastAt: z.string(),
});
export type ApiCertificate = z.infer<typeof ApiCertificate>;
