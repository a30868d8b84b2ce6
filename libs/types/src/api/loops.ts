import { z } from "zod";
import { ItemRef } from "../loop/item-ref.ts";
import { Seen } from "../loop/seen.ts";
import { ActiveStage, Stage, WaitReason } from "../loop/stage.ts";
import { Outcome, SignalName } from "../policy.ts";
import { Severity } from "../review/finding.ts";

/** A loop's name in addresses. */
export const LoopId = z.string().min(1).max(300);

/** One stop of the way that a loop goes, in the order in which they are drawn. */
export const ApiRailStop = z.object({
  stage: Stage,
  /** What the item's own seed calls it, such as `code_review`, `self_reviewing`, `needs_revision`, `in_review`. */
  name: z.string(),
  /** `waiting`: it stopped here and a person has to speak; `skipped`: the loop ended without it. */
  standing: z.enum(["done", "now", "waiting", "ahead", "skipped"]),
  /** How often the loop came here. */
  visits: z.int().nonnegative(),
});
export type ApiRailStop = z.infer<typeof ApiRailStop>;

/** A word that a person may say to the loop now. */
export const ApiSignal = z.object({
  signal: SignalName,
  /** What follows, in one sentence. */
  consequence: z.string(),
  /** Whether another word takes it back, and which. */
  undoable: z.boolean(),
  undoneBy: SignalName.nullable(),
  /** Whether a note goes along to the agent that works next. */
  takesNote: z.boolean(),
});
export type ApiSignal = z.infer<typeof ApiSignal>;

/** What a limit allows and how much of it is used; null is no limit. Counted over the running cycle. */
const Allowance = z.object({ used: z.number().nonnegative(), limit: z.number().nonnegative().nullable() });

export const ApiCaps = z.object({
  reviews: Allowance,
  fixes: Allowance,
  /** Over the whole loop and those before it, whatever a person adds. */
  hardReviews: Allowance,
  repairs: Allowance,
  retries: Allowance,
  feedback: Allowance,
  /** Without the time that people and the forge took. */
  wallMs: Allowance,
  tokens: Allowance,
  costUsd: Allowance,
});
export type ApiCaps = z.infer<typeof ApiCaps>;

/** A loop as its own page shows it. Reports, findings and diffs have addresses of their own. */
export const ApiLoopState = z.object({
  id: LoopId,
  /** The key of its item. */
  item: z.string(),
  ref: ItemRef,
  title: z.string(),
  policy: z.object({ name: z.string(), title: z.string(), hash: z.string(), because: z.string() }),
  agents: z.record(z.string(), z.string()),
  branch: z.string().nullable(),
  /** The folder that it works in; null where that is not there. */
  workspace: z.string().nullable(),
  base: z.string(),
  head: z.string().nullable(),
  stage: Stage,
  /** Where it stands in the words of the item's own seed. */
  state: z.string(),
  /** Where it would go back to; null unless it waits for a person. */
  backTo: ActiveStage.nullable(),
  reason: WaitReason.nullable(),
  outcome: Outcome.nullable(),
  detail: z.string(),
  /** Whether a person is asked because of its findings: then `/escalation` has the packet. */
  escalated: z.boolean(),
  rail: z.array(ApiRailStop),
  /** The round that it works on, and the last one that it may have. */
  round: z.int().nonnegative(),
  maxRounds: z.int().nonnegative(),
  next: z.object({
    /** Whose move it is. */
    who: z.enum(["agent", "anneal", "person", "forge", "nobody"]),
    sentence: z.string(),
    /** A retry waits until then. */
    notBefore: z.int().nullable(),
  }),
  signals: z.array(ApiSignal),
  /** Sent back with a word, what the word is about. */
  seen: Seen,
  caps: ApiCaps,
  /** Of the whole loop. */
  spent: z.object({ tokens: z.number(), costUsd: z.number() }),
  findings: z.object({
    open: z.int().nonnegative(),
    blocking: z.int().nonnegative(),
    resolved: z.int().nonnegative(),
    bySeverity: z.record(Severity, z.int().nonnegative()),
  }),
  /** The last verdict, and whether it is about the head as it is now. */
  verdict: z
    .object({ result: z.enum(["pass", "fail", "inconclusive"]), reason: z.string(), current: z.boolean() })
    .nullable(),
  /** Notes that the next fixer gets. */
  notes: z.array(z.string()),
  /** What the next step of a custom pipeline is, where it is in one. */
  step: z.string().nullable(),
  pullRequest: z.object({ number: z.int(), url: z.string(), draft: z.boolean() }).nullable(),
  startedAt: z.int(),
  lastAt: z.int(),
  /** From its start until now, or until its end. */
  elapsedMs: z.int().nonnegative(),
  /** The number of its last event. */
  lastSeq: z.int().nonnegative(),
});
export type ApiLoopState = z.infer<typeof ApiLoopState>;
