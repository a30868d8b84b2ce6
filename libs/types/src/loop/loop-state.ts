import { z } from "zod";
import { CommitPlan, DocumentsCommit } from "../change/commit-plan.ts";
import { MergePlan, WaitingMerge } from "../change/merge-plan.ts";
import { TouchedRegion } from "../change/touched-region.ts";
import { Outcome, SignalName } from "../policy.ts";
import { Finding, TrackedFinding } from "../review/finding.ts";
import { Verdict } from "../review/report.ts";
import { BoundChecks } from "./bound-checks.ts";
import { PullRequestRef } from "./pull-request-ref.ts";
import { ReviewAttempt, Round } from "./round.ts";
import { ActiveStage, WaitReason } from "./stage.ts";
import { Tally } from "./tally.ts";
import { RedTests } from "./test-totals.ts";

/** What sent the loop into fixing: a review, the project's own checks, a person, or feedback on the pull request. */
export const FixCause = z.enum(["review", "validation", "person", "feedback"]);
export type FixCause = z.infer<typeof FixCause>;

const common = {
  base: z.string(),
  /** The commit that is or will be judged; null until there is one. */
  head: z.string().nullable(),
  /** The verdict of the last conclusive review and the head it is bound to. */
  verdict: z.object({ head: z.string(), verdict: Verdict, requirementsJudged: z.boolean() }).nullable(),
  /** Rounds that the item had before this loop: numbers go on from there, limits do not count them. */
  earlierRounds: z.int().nonnegative(),
  /** Those of them that were about work which was dropped: the hard limit does not count them either. */
  droppedRounds: z.int().positive().optional(),
  rounds: z.array(Round),
  /** The last review of this head, where it came to nothing. */
  attempt: ReviewAttempt.nullable(),
  findings: z.array(TrackedFinding),
  cycle: Tally,
  /** Fix commit of each round: which lines it touched, to blame new findings on it, and which files that nothing names. */
  fixes: z.array(
    z.object({ round: z.int(), regions: z.array(TouchedRegion), unnamed: z.array(z.string()).optional() }),
  ),
  repairs: z.int(),
  breaks: z.int(),
  feedbackCycles: z.int(),
  pr: PullRequestRef.nullable(),
  /** What people and checks on the pull request asked for that a fixer has worked on and no review has passed since. */
  requested: z.array(Finding).optional(),
  /** Whether a person approves even a passing result (manual verification). */
  needsApproval: z.boolean(),
  /** Parts of the work that are still to be built, in order; the first is under way. Each is checked and committed by itself. */
  tasks: z.array(z.string()),
  /** Custom pipeline steps that are still to run once the review has passed. */
  steps: z.array(z.string()),
  /** The pipeline step that is being worked on, or null for the item itself. */
  step: z.string().nullable(),
  /** What agents said, as blobs, by the round that their work went into, and by the pipeline step that it was for. */
  outputs: z.array(z.object({ round: z.int().positive(), step: z.string().optional(), output: z.string() })),
  /** The prompt of the item's own implementer, as a blob; null where nobody implemented. */
  asked: z.string().nullable(),
  /** The tree that the workspace holds when an agent has worked and nothing is committed yet. */
  tree: z.string().nullable(),
  /** What the checks refused first since the last commit, and what was said last: no fix may take away the tests that refused it, or keep them from running. */
  refused: z.object({ tree: z.string(), problems: z.array(Finding), tests: RedTests.optional() }).optional(),
  /** What fixers say that they fixed since the last commit, whether one of them did not say, and what people had told them. */
  claims: z
    .object({ addressed: z.array(z.string()), isSilent: z.boolean(), notes: z.array(z.string()).optional() })
    .optional(),
  /** Notes from people to the next fixer. */
  notes: z.array(z.string()),
  /** Where reviews are committed as documents at the end. */
  documents: z.union([z.literal("due"), DocumentsCommit]).optional(),
  /** Those that later commits took the place of: a forge may have them. */
  earlierDocuments: z.array(DocumentsCommit).optional(),
  /** Who accepted the change with its open findings, while it is on its way out. */
  acceptedBy: z.string().optional(),
  /** The head that could not be merged: until there is another one, commits on top of it are a person's resolution. */
  conflict: z.string().optional(),
  /** For a loop that only merges: what is still to be merged, in order; the first is under way. */
  merges: z.array(WaitingMerge).optional(),
  /** What the settings say later does not change it. Missing while it is not settled: the next checks settle it. */
  checks: BoundChecks.optional(),
  /** Ids of the signals that were taken, so that none counts twice. */
  signals: z.array(z.string()),
  /** The work of this stage must not start before (back-off after a break). */
  notBefore: z.int().nullable(),
  startedAt: z.int(),
  lastAt: z.int(),
};

/** Why and from where the loop produced work that is now validated or committed. */
const produced = { of: z.enum(["implementation", "step", "documents", "resolution", ...FixCause.options]) };
const fixing = { cause: FixCause, problems: z.array(Finding) };
/** What was delivered is not there as it was left: a person's retry delivers it once more. */
const anew = { anew: z.literal(true).optional() };

/** The whole state of a loop. Each stage holds exactly what its work needs. */
export const LoopState = z.discriminatedUnion("stage", [
  z.object({ stage: z.literal("implementing"), ...common }),
  z.object({ stage: z.literal("validating"), ...common, ...produced }),
  z.object({ stage: z.literal("committing"), ...common, ...produced, plan: CommitPlan.nullable() }),
  z.object({ stage: z.literal("reviewing"), ...common, head: z.string() }),
  z.object({ stage: z.literal("fixing"), ...common, ...fixing }),
  z.object({ stage: z.literal("opening-pr"), ...common, head: z.string(), draft: z.boolean(), ...anew }),
  z.object({ stage: z.literal("awaiting-feedback"), ...common, head: z.string(), pr: PullRequestRef }),
  z.object({
    stage: z.literal("waiting-for-human"),
    ...common,
    reason: WaitReason,
    detail: z.string(),
    options: z.array(SignalName),
    /** The stage that a retry or resume goes back to. */
    backTo: ActiveStage,
    /** What that stage has to know on the way back. */
    kept: z.object({
      of: produced.of.optional(),
      cause: FixCause.optional(),
      problems: z.array(Finding).optional(),
      draft: z.boolean().optional(),
      ...anew,
      plan: CommitPlan.optional(),
      /** Whose cap stopped it, where that was not the loop's own: going on then opens no new cycle. */
      cap: z.literal("day").optional(),
      /** Fingerprints of reviewers' findings that a push is held for. */
      about: z.array(z.string()).optional(),
    }),
  }),
  z.object({ stage: z.literal("merging"), ...common, head: z.string(), merge: MergePlan.nullable() }),
  z.object({
    stage: z.literal("ended"),
    ...common,
    outcome: Outcome,
    detail: z.string(),
    /** Where it stood before that, and what it waited for there. */
    left: z.object({ stage: ActiveStage, reason: WaitReason.optional() }).optional(),
  }),
]);
export type LoopState = z.infer<typeof LoopState>;
