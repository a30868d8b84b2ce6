import { z } from "zod";
import { Finding } from "./finding.ts";

/** What an agent run used. Unknown is left out, never guessed. */
export const Usage = z.object({
  /** All that was read, what came from the provider's cache included. */
  inputTokens: z.int().nonnegative().optional(),
  /** The part of the input that came from the provider's cache. */
  cachedInputTokens: z.int().nonnegative().optional(),
  outputTokens: z.int().nonnegative().optional(),
  costUsd: z.number().nonnegative().optional(),
  /** The cost, or a part of it, comes from a list of prices and not from the provider. */
  costEstimated: z.literal(true).optional(),
});
export type Usage = z.infer<typeof Usage>;

/**
 * Why a file that was not read whole holds nothing: it is an image, a font or media; a lock file that fits its manifest; gone;
 * hidden from a fresh reviewer; waived by a person; or it was judged before such files held anything.
 */
export const Excuse = z.enum(["asset", "lock file", "deleted", "hidden", "waived", "earlier"]);
export type Excuse = z.infer<typeof Excuse>;

/** What the reviewer saw and what it did not see, so that nothing is silently left out. What was not seen and has no excuse is not passed. */
export const Coverage = z.object({
  reviewed: z.array(z.string()),
  skipped: z.array(z.object({ file: z.string(), reason: z.string(), excused: Excuse.optional() })),
});
export type Coverage = z.infer<typeof Coverage>;

/** Scores by dimension, 0 to 100, as the scored policy asks for them. */
export const Scores = z.record(z.string(), z.number().min(0).max(100));
export type Scores = z.infer<typeof Scores>;

/** A reviewer's word on an earlier finding. A finding without a ruling stays open. */
export const Ruling = z.object({
  fingerprint: z.string().min(1),
  ruling: z.enum(["fixed", "open", "refuted"]),
  evidence: z.string().optional(),
});
export type Ruling = z.infer<typeof Ruling>;

/** A complete answer: every mandatory part of its contract was there and valid. */
export const CompleteReport = z.object({
  status: z.literal("complete"),
  /** The reviewer's own verdict, where its contract has one; it can only make ours stricter. */
  claim: z.enum(["pass", "fail"]).nullable(),
  findings: z.array(Finding),
  summary: z.string(),
  /** What must change, where the contract has a place for it (rejection reason, revision notes). */
  demand: z.string().optional(),
  /** What the reviewer says should happen now, where its contract has a place for it (003). */
  recommendation: z.string().optional(),
  scores: Scores.optional(),
  compliance: z.object({ met: z.array(z.string()), unmet: z.array(z.string()) }).optional(),
  rulings: z.array(Ruling).default([]),
  /** Things worth telling a person that do not change the verdict (counts that disagree, unknown words). */
  notes: z.array(z.string()).default([]),
  /** Some of the answer could not be read (the notes say what): it may fail a change, but never pass one or close a finding by silence. */
  partlyRead: z.literal(true).optional(),
  /** An agent's answer that did not pass by itself: rulings on its findings alone never make a pass of it. */
  signedOff: z.literal(false).optional(),
});
export type CompleteReport = z.infer<typeof CompleteReport>;

/** An answer that cannot be trusted to say anything, and why. It never passes. */
export const InconclusiveReport = z.object({
  status: z.literal("inconclusive"),
  reason: z.string(),
  /** All that is wrong with the form of an answer that was finished: a request to repair it can name them. */
  problems: z.array(z.string()).min(1).optional(),
});
export type InconclusiveReport = z.infer<typeof InconclusiveReport>;

/** A reviewer's structured answer for one round. */
export const Report = z.discriminatedUnion("status", [CompleteReport, InconclusiveReport]);
export type Report = z.infer<typeof Report>;

/** What the gate makes of a report: pass and fail are earned, everything else is inconclusive. */
export const Verdict = z.discriminatedUnion("result", [
  z.object({ result: z.literal("pass"), reason: z.string() }),
  z.object({
    result: z.literal("fail"),
    reason: z.string(),
    blocking: z.array(Finding).min(1),
    /** The reviewer lets the change through: the reason says what holds it back all the same. */
    approved: z.literal(true).optional(),
  }),
  z.object({ result: z.literal("inconclusive"), reason: z.string() }),
]);
export type Verdict = z.infer<typeof Verdict>;
