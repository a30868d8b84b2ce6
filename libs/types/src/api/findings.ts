import { z } from "zod";
import { WaitReason } from "../loop/stage.ts";
import { SignalName } from "../policy.ts";
import { Disposition, Finding, Lifecycle, Origin, Severity } from "../review/finding.ts";
import { ApiSignal } from "./loops.ts";

/** Where a finding stood after one round. */
export const ApiFindingInRound = z.object({
  round: z.int().positive(),
  lifecycle: Lifecycle,
  disposition: z.string(),
  severity: Severity,
  /** Whether the reviewer of that round reported it. */
  reported: z.boolean(),
  file: z.string().nullable(),
  line: z.int().nullable(),
});
export type ApiFindingInRound = z.infer<typeof ApiFindingInRound>;

/** What a person may do about a finding. */
export const DispositionAction = z.enum(["dismiss", "accept-risk", "defer", "reopen", "tell"]);
export type DispositionAction = z.infer<typeof DispositionAction>;

/** A finding with its way over the rounds. */
export const ApiFinding = z.object({
  fingerprint: z.string(),
  /** As it was reported last; its severity is the canonical one, `native` has the reviewer's own word. */
  finding: Finding,
  lifecycle: Lifecycle,
  origin: Origin,
  disposition: Disposition,
  firstRound: z.int().positive(),
  /** When that round was reviewed; null where no round found it. */
  foundAt: z.int().nullable(),
  lastRound: z.int().positive(),
  /** Whether it holds the change back now. */
  blocks: z.boolean(),
  refutation: z.string().nullable(),
  rounds: z.array(ApiFindingInRound),
  /** The commit that a review took for its fix, and the lines of it that are nearest. */
  fix: z
    .object({
      commit: z.string(),
      round: z.int().positive(),
      hunk: z.object({ file: z.string(), start: z.int(), end: z.int() }).nullable(),
    })
    .nullable(),
  /** What people said about it, oldest first. */
  rulings: z.array(z.object({ at: z.int(), by: z.string(), disposition: z.string(), reason: z.string() })),
  actions: z.array(DispositionAction),
});
export type ApiFinding = z.infer<typeof ApiFinding>;

const reason = z.string().trim().min(1, "a reason is required: it goes into the log and the certificate").max(20_000);

/** A person's word on a finding. `tell` leaves it open and hands a note to the next fixer. */
export const DispositionRequest = z.discriminatedUnion("action", [
  z.strictObject({ action: z.literal("dismiss"), reason }),
  z.strictObject({ action: z.literal("accept-risk"), reason }),
  z.strictObject({ action: z.literal("defer"), reason }),
  z.strictObject({ action: z.literal("reopen"), reason }),
  z.strictObject({
    action: z.literal("tell"),
    note: z.string().trim().min(1, "write a note for the fixer").max(20_000),
  }),
]);
export type DispositionRequest = z.infer<typeof DispositionRequest>;

/** What a person is asked when a loop cannot go on because of its findings. */
export const ApiEscalation = z.object({
  reason: WaitReason,
  detail: z.string(),
  round: z.int().nonnegative(),
  maxRounds: z.int().nonnegative(),
  /** What is open, by the classes of seed 003. */
  counts: z.object({ critical: z.int(), important: z.int(), minor: z.int() }),
  /** Worst first. */
  open: z.array(ApiFinding),
  /** Seed 003's three; one that is not possible now says why. */
  choices: z.array(
    z.object({
      key: z.enum(["a", "b", "c"]),
      signal: SignalName,
      text: z.string(),
      consequence: z.string(),
      undoable: z.boolean(),
      possible: z.boolean(),
      whyNot: z.string().nullable(),
    }),
  ),
  /** Everything else that may be said. */
  others: z.array(ApiSignal),
  /** Where the findings document will stand; null for items that have none. */
  document: z.string().nullable(),
});
export type ApiEscalation = z.infer<typeof ApiEscalation>;
