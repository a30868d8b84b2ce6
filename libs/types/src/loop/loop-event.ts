import { z } from "zod";
import { CommitPlan } from "../change/commit-plan.ts";
import { FileMoves } from "../change/file-moves.ts";
import { MergeConflict, MergePlan, WaitingMerge } from "../change/merge-plan.ts";
import { TouchedRegion } from "../change/touched-region.ts";
import { Policy, SignalName } from "../policy.ts";
import { Finding, FixScope, HeldSecret } from "../review/finding.ts";
import { CompleteReport, Coverage, Report, Usage } from "../review/report.ts";
import { Via } from "../speaker.ts";
import { BoundChecks } from "./bound-checks.ts";
import { ItemRef } from "./item-ref.ts";
import { Looks } from "./look.ts";
import { PullRequestRef } from "./pull-request-ref.ts";
import { PlayedBy, ReviewAttempt } from "./round.ts";
import { RoundMatches } from "./round-matches.ts";
import { Seen } from "./seen.ts";
import { ActiveStage, WaitReason } from "./stage.ts";
import { RedTests } from "./test-totals.ts";

const at = { at: z.int() };
/** Whose word it is, as the server or the command line knows them; `via` is missing where nobody proved to be a person. */
const said = { by: z.string(), via: Via.optional() };
const cost = {
  usage: Usage,
  /** What was seen of the agents at work, as a blob. */
  transcript: z.string().optional(),
};
/** What an implementer or fixer leaves behind: the tree it made, and what it said, as a blob. */
const worked = {
  changed: z.boolean(),
  tree: z.string().nullable(),
  output: z.string().nullable(),
  by: PlayedBy,
  /** Its prompt, as a blob. */
  prompt: z.string().optional(),
};

/** What the project's own checks came to. */
const checked = { result: z.enum(["passed", "failed", "not-configured"]), findings: z.array(Finding) };

/** Everything that can happen to a loop. The log is a list of these, and the state is their fold. */
export const LoopEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("loop-started"),
    ...at,
    loopId: z.string(),
    item: ItemRef,
    policy: Policy,
    /** Why this policy was chosen. */
    because: z.string(),
    agents: z.record(z.string(), z.string()),
    promptsHash: z.string(),
    base: z.string(),
    /** Set for a branch that exists already: the loop then starts at its review. */
    head: z.string().nullable(),
    needsApproval: z.boolean(),
    /** Ids of the custom pipeline's steps, in order. */
    steps: z.array(z.string()),
    /** Ids of the parts that the work is built in, for items that have some. */
    tasks: z.array(z.string()).optional(),
    /** How many rounds of review the item had before; none by default. */
    earlierRounds: z.int().nonnegative().optional(),
    droppedRounds: z.int().positive().optional(),
    /** The branch that takes the work in, for items that are merged. */
    into: z.string().optional(),
    /** Reviews are committed as documents, once the change has passed or was accepted. */
    documents: z.literal("due").optional(),
    /** Items that this one builds on and that nobody reviewed: marked as done by hand, merged so, or called completed by a file only. */
    unreviewed: z.array(z.string()).min(1).optional(),
    /** Missing in loops from before it was recorded. */
    checks: BoundChecks.optional(),
    /** Where the larger work started from that the item is a part of. */
    baseline: z.string().optional(),
    /** What the item's file asked for, as a hash; missing in loops from before it was recorded. */
    asks: z.string().optional(),
    /** Set for a loop that only merges what other loops finished. */
    merges: z.array(WaitingMerge).min(1).optional(),
  }),
  /** Written before the work of a stage starts, so that a crash leaves a trace of the attempt. */
  z.object({ type: z.literal("intended"), ...at, stage: ActiveStage, attempt: z.int().positive() }),
  /** The work of a stage was given up because a person spoke; it says nothing about the change. */
  z.object({ type: z.literal("abandoned"), ...at, stage: ActiveStage }),
  z.object({ type: z.literal("implemented"), ...at, ...cost, ...worked }),
  /** `checks`: by what, where that is settled only now. `tests`: what a red run asks of the fixes for it. */
  z.object({
    type: z.literal("validated"),
    ...at,
    ...checked,
    checks: BoundChecks.optional(),
    tests: RedTests.optional(),
  }),
  /** The hooks have run and the commit is decided; only the commit itself is left. */
  z.object({ type: z.literal("commit-prepared"), ...at, plan: CommitPlan }),
  z.object({
    type: z.literal("committed"),
    ...at,
    head: z.string(),
    regions: z.array(TouchedRegion),
    /** For a fix that left its scope, or took back what an earlier one did there. */
    scope: FixScope.optional(),
  }),
  /** A commit hook said no: its output is a finding like any other. */
  z.object({ type: z.literal("commit-refused"), ...at, findings: z.array(Finding).min(1) }),
  z.object({ type: z.literal("nothing-to-commit"), ...at }),
  z.object({
    type: z.literal("reviewed"),
    ...at,
    ...cost,
    /** The head that was really reviewed; a report for another head says nothing. */
    head: z.string(),
    report: Report,
    requirementsJudged: z.boolean(),
    /** Open findings whose code still stands at this head. */
    standing: z.array(z.string()),
    /** The changed lines of base...head: a finding outside of them was there before. */
    regions: z.array(TouchedRegion),
    /** Renames since the round before, new path by old path. */
    renames: z.record(z.string(), z.string()),
    /** What became of the lines since the round before, in the files that findings name; missing in a first round. */
    moves: z.array(FileMoves).optional(),
    matches: RoundMatches.optional(),
    /** Where several reviewed: what each of them said. */
    looks: Looks.optional(),
    by: PlayedBy,
    /** The diff that was judged, as a blob. */
    diff: z.string().nullable(),
    coverage: Coverage,
    /** What the search of all its commits found that no finding of the report is about. */
    secrets: z.array(HeldSecret).min(1).optional(),
    /** The reviewer's prompt, as a blob. */
    prompt: z.string().optional(),
  }),
  z.object({
    type: z.literal("fixed"),
    ...at,
    ...cost,
    ...worked,
    refutations: z.array(z.object({ fingerprint: z.string(), evidence: z.string() })),
    /** Fingerprints of what the fixer says that it fixed; missing where it did not say in a form that can be read. */
    addressed: z.array(z.string()).optional(),
  }),
  /** The work of a stage could not be done at all: crash, time-out, no network. */
  z.object({
    type: z.literal("broke"),
    ...at,
    ...cost,
    stage: ActiveStage,
    reason: z.string(),
    /** Trying again would come to the same. */
    lasting: z.literal(true).optional(),
    /** The setting that a person has to correct first; what it had bound the loop to is settled anew after that. */
    misconfigured: z.literal("testCommand").optional(),
    /** The loop's own cap on time cut it off: nobody failed, and it is not tried again by itself. */
    outOfTime: z.literal(true).optional(),
    /** Where it was a review. */
    review: ReviewAttempt.optional(),
  }),
  /** What the day allows to all loops together is used up: paid work does not start. */
  z.object({ type: z.literal("capped"), ...at, scope: z.literal("day"), detail: z.string() }),
  /** `conflict`: where it cannot be merged as it is. */
  z.object({ type: z.literal("pr-opened"), ...at, pr: PullRequestRef, conflict: MergeConflict.optional() }),
  /** There is nowhere to deliver to (no forge, no target branch): the loop ends where it stands. */
  z.object({ type: z.literal("delivery-skipped"), ...at, reason: z.string() }),
  /** It cannot be delivered as it is, and trying again by itself would change nothing: a person has to act first. */
  z.object({
    type: z.literal("delivery-held"),
    ...at,
    reason: WaitReason.extract(["push-consent", "never-publish", "delivery-refused"]),
    detail: z.string(),
    /** What the commits would publish, value by value: a person rules on each as on any finding. */
    secrets: z.array(HeldSecret).min(1).optional(),
    /** Fingerprints of reviewers' findings that are about such a value already: those are ruled on instead. */
    about: z.array(z.string()).min(1).optional(),
    /** What was delivered is not there as it was left: a person's retry delivers it once more. */
    anew: z.literal(true).optional(),
  }),
  z.object({
    type: z.literal("feedback-received"),
    ...at,
    head: z.string(),
    report: CompleteReport,
    state: z.enum(["open", "approved", "merged", "closed"]),
    /** None where the head has none and none is required. */
    checks: z.enum(["pending", "passing", "failing", "none"]),
  }),
  /** The merge is decided; only the merge itself is left. Decided anew where the target has moved meanwhile. */
  z.object({ type: z.literal("merge-prepared"), ...at, plan: MergePlan }),
  /** `checks`: what holds in the merged tree, where that was looked at. */
  z.object({ type: z.literal("merged"), ...at, commit: z.string(), checks: z.object(checked).optional() }),
  z.object({ type: z.literal("merge-conflicted"), ...at, ...MergeConflict.shape }),
  /** A person brought the branch on after a conflict: that is judged like any change, from where it now leaves the base. */
  z.object({ type: z.literal("conflict-resolved"), ...at, base: z.string(), head: z.string() }),
  /** The log holds a stage that the rules of today do not lead to: whatever they make of it, the loop waits for a person. */
  z.object({ type: z.literal("replay-differed"), ...at, detail: z.string() }),
  z.object({
    type: z.literal("signalled"),
    ...at,
    id: z.string().min(1),
    signal: SignalName,
    ...said,
    note: z.string().optional(),
    /** What they looked at; missing where nobody said. */
    seen: Seen.optional(),
  }),
  z.object({
    type: z.literal("finding-disposed"),
    ...at,
    id: z.string().min(1),
    fingerprint: z.string(),
    disposition: z.enum(["open", "deferred", "accepted-risk", "dismissed"]),
    ...said,
    reason: z.string().min(1),
  }),
]);
export type LoopEvent = z.infer<typeof LoopEvent>;
