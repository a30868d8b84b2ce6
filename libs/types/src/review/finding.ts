import { z } from "zod";
import { CATEGORIES, SEVERITIES } from "./scales.ts";

/** How bad a finding is, on the one scale that every seed's words map to. Worst first. */
export const Severity = z.enum(SEVERITIES);
export type Severity = z.infer<typeof Severity>;

/** What a finding is about, on the one scale that every seed's words map to. */
export const Category = z.enum(CATEGORIES);
export type Category = z.infer<typeof Category>;

/** The five seeds, named by the policy each became. */
export const SeedName = z.enum(["gate", "pull-request", "scored", "adversarial", "advisory"]);
export type SeedName = z.infer<typeof SeedName>;

/** The reviewer's own words for severity and category, kept so that nothing is lost in the mapping. */
export const NativeWords = z.object({
  seed: SeedName,
  severity: z.string().optional(),
  category: z.string().optional(),
});
export type NativeWords = z.infer<typeof NativeWords>;

/** What a second agent says of a finding that would block; only what it confirms, or was never asked about, does. */
export const Verification = z.object({
  by: z.string(),
  result: z.enum(["confirmed", "refuted", "unconfirmed"]),
  evidence: z.string(),
});
export type Verification = z.infer<typeof Verification>;

/** One defect that a reviewer reports, in canonical words. */
export const Finding = z.object({
  /** The check that found it, for reviewers that have named checks (`secret`, `focused-test`). */
  rule: z.string().min(1).optional(),
  category: Category,
  severity: Severity,
  title: z.string(),
  description: z.string(),
  /** Why it matters to someone. */
  impact: z.string().optional(),
  suggestion: z.string().optional(),
  file: z.string().min(1).optional(),
  line: z.int().positive().optional(),
  endLine: z.int().positive().optional(),
  /** The code it is about, as it stands at the reviewed head; the base of its identity. */
  snippet: z.string().optional(),
  /** For code that is there no more: the lines where it was taken out, as they are numbered at the reviewed head. */
  goneAt: z.array(z.int().positive()).min(1).optional(),
  native: NativeWords.optional(),
  /** Which of several reviewers reported it. */
  seenBy: z.array(z.string()).optional(),
  verification: Verification.optional(),
});
export type Finding = z.infer<typeof Finding>;

/** Where a finding stands compared with the rounds before. */
export const Lifecycle = z.enum(["new", "persisting", "resolved", "regressed", "moved"]);
export type Lifecycle = z.infer<typeof Lifecycle>;

/** Which change a finding is blamed on. */
export const Origin = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("change") }),
  z.object({ kind: z.literal("fix"), round: z.int().positive() }),
  z.object({ kind: z.literal("pre-existing") }),
]);
export type Origin = z.infer<typeof Origin>;

/** A person's word on a finding, and the code that it was about: what stands there later is another thing. */
const ruled = {
  by: z.string(),
  reason: z.string(),
  on: z
    .object({ head: z.string(), file: z.string(), line: z.int().positive(), endLine: z.int().positive() })
    .optional(),
};

/** What was decided about a finding. Only `open` findings can block. */
export const Disposition = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("open") }),
  z.object({
    kind: z.literal("fixed"),
    commit: z.string(),
    /** Its code is gone, and all that speaks for more is the silence of a review that rejected: an approval has to bear it out. */
    unconfirmed: z.literal(true).optional(),
  }),
  z.object({ kind: z.literal("refuted"), evidence: z.string() }),
  /** A later review that knew nothing of it looked at this head and does not name it. */
  z.object({ kind: z.literal("passed-over"), head: z.string() }),
  z.object({ kind: z.literal("deferred"), ...ruled }),
  z.object({ kind: z.literal("accepted-risk"), ...ruled }),
  z.object({ kind: z.literal("dismissed"), ...ruled }),
]);
export type Disposition = z.infer<typeof Disposition>;

/** That a round reported a finding. */
export const Sighting = z.object({
  round: z.int().positive(),
  /** Whether its code was changed since the last look; null where that is not known. */
  codeChanged: z.boolean().nullable(),
  /** How sure it is that this was the finding, by which matcher, and who said so where somebody was asked; missing for its first sighting. */
  match: z.object({ score: z.number(), matcher: z.int(), by: z.string().optional() }).optional(),
});
export type Sighting = z.infer<typeof Sighting>;

/** A finding with its identity and its history over the rounds of one loop. */
export const TrackedFinding = z.object({
  /** The stable identity: never derived from line numbers or prose. */
  fingerprint: z.string().min(1),
  finding: Finding,
  lifecycle: Lifecycle,
  origin: Origin,
  disposition: Disposition,
  firstRound: z.int().positive(),
  lastRound: z.int().positive(),
  /** The rounds that reported it, oldest first. */
  sightings: z.array(Sighting).optional(),
  /** The fixer's evidence that the finding is wrong; it waits for the next reviewer's ruling. */
  refutation: z.string().optional(),
  /** For what the search before a push found: the commit that brings it. No review has seen it, and none goes on with it. */
  heldIn: z.string().optional(),
  /** For a fix that left its scope: the file, and the commit before it, by which it is seen whether a later fix takes it back. */
  strayed: z.object({ path: z.string(), from: z.string() }).optional(),
});
export type TrackedFinding = z.infer<typeof TrackedFinding>;

/** A value that looks like a secret, named by where it stands in a commit, never by itself. */
export const HeldSecret = z.object({ fingerprint: z.string().min(1), heldIn: z.string(), finding: Finding });
export type HeldSecret = z.infer<typeof HeldSecret>;

/** A file that a fix touched and nothing that it was to mend names. */
export const Stray = z.object({
  fingerprint: z.string().min(1),
  finding: Finding,
  strayed: z.object({ path: z.string(), from: z.string() }),
});
export type Stray = z.infer<typeof Stray>;

/** What a fix touched beyond what it was to mend. */
export const FixScope = z.object({
  /** Each holds the change until it is ruled on. */
  strays: z.array(Stray).optional(),
  /** Fingerprints of earlier ones whose files are as they were. */
  takenBack: z.array(z.string()).optional(),
  /** Other files that nothing names, which hold nothing. */
  unnamed: z.array(z.string()).optional(),
});
export type FixScope = z.infer<typeof FixScope>;
