import { z } from "zod";
import { FeatureStatus } from "../feature.ts";
import { Seen } from "../loop/seen.ts";
import { SignalName } from "../policy.ts";

/** A loop as lists show it. */
export const ApiLoop = z.object({
  id: z.string(),
  policy: z.string(),
  branch: z.string().nullable(),
  stage: z.string(),
  /** The step of the custom pipeline that is worked on. */
  step: z.string().nullable().optional(),
  round: z.int(),
  maxRounds: z.int(),
  blockers: z.int(),
  resolved: z.int(),
  /** The last review passed, and nobody judged the requirements. */
  unjudged: z.literal(true).optional(),
  costUsd: z.number(),
  tokens: z.number(),
  reason: z.string().nullable(),
  outcome: z.string().nullable(),
  detail: z.string(),
  /** What a person may say to it now. */
  legal: z.array(SignalName),
  startedAt: z.number(),
  lastAt: z.number(),
});
export type ApiLoop = z.infer<typeof ApiLoop>;

/** A column of the board: one that every project has, or a step of its own pipeline. */
export const ApiColumnId = FeatureStatus;

/** What kinds of work items there are. */
export const ApiItemKind = z.enum(["feature", "ticket", "story", "unit", "branch", "epic"]);
export type ApiItemKind = z.infer<typeof ApiItemKind>;

/** A work item as lists show it: all that a card needs, and no diffs, prompts or logs. */
export const ApiItem = z.object({
  /** Its key: a feature's id, or kind and id. */
  id: z.string(),
  kind: ApiItemKind,
  title: z.string(),
  /** What its own file or the log says; null for a plain branch, and where the file cannot be read. */
  status: z.string().nullable(),
  /** Where its card stands. */
  column: ApiColumnId,
  /** Where its reviews stand, in the words of its own seed; null before there is anything to say. */
  badge: z.string().nullable(),
  /** Whether nothing goes on with it until a person does something. */
  needsYou: z.boolean(),
  /** Why its file cannot be read. */
  damaged: z.string().nullable(),
  /** The last message to a person about it, such as why a move was put back. */
  error: z.string().nullable(),
  /** Lower goes first. */
  priority: z.number().nullable(),
  category: z.string().nullable(),
  model: z.string().nullable(),
  /** Of its open or last loop, else the one that it asks for itself; null where the settings choose. */
  policy: z.string().nullable(),
  branch: z.string().nullable(),
  /** Ids of the items that have to be done first. */
  dependsOn: z.array(z.string()),
  /** Those of them that are not done. */
  blockedBy: z.array(z.string()),
  /** Whether somebody marked it as done without a review. */
  byHand: z.boolean(),
  /** The later of the last change of its file and the last event of its loop, in epoch milliseconds. */
  updatedAt: z.number(),
  loop: ApiLoop.nullable(),
});
export type ApiItem = z.infer<typeof ApiItem>;

/** One page of work items: features by id, then the others by key. */
export const ApiItemPage = z.object({
  items: z.array(ApiItem),
  /** Given as `after`, the next page; null on the last. */
  next: z.string().nullable(),
  /** How many there are in all pages. */
  total: z.int().nonnegative(),
  /** Given as `since` to the changes, what has changed after this page was made. */
  version: z.string(),
});
export type ApiItemPage = z.infer<typeof ApiItemPage>;

/** What has changed since a version of the list. */
export const ApiItemChanges = z.object({
  /** False where the server does not know the version, or so much has changed that the list is to be read again. */
  known: z.boolean(),
  items: z.array(ApiItem),
  /** Ids of items that are no more. */
  gone: z.array(z.string()),
  version: z.string(),
});
export type ApiItemChanges = z.infer<typeof ApiItemChanges>;

/** Which work items a list shows. */
export const ApiItemQuery = z.strictObject({
  /** The last id of the page before. */
  after: z.string().max(300).optional(),
  limit: z.coerce.number().int().min(1).max(1_000).default(200),
  kind: ApiItemKind.optional(),
  column: ApiColumnId.optional(),
  /** Words that all occur in its id, title, category or branch. */
  text: z.string().max(200).optional(),
  needsYou: z.enum(["true", "false"]).optional(),
});
export type ApiItemQuery = z.infer<typeof ApiItemQuery>;

/** A column of a project's board. */
export const ApiColumn = z.object({
  id: ApiColumnId,
  name: z.string(),
  /** `step` is one of the project's own pipeline; `former` was one, and still has cards. */
  kind: z.enum(["board", "step", "former"]),
  colorClass: z.string().nullable(),
  cards: z.int().nonnegative(),
});
export type ApiColumn = z.infer<typeof ApiColumn>;

/** A column that a card might be dropped on now. */
export const ApiMove = z.object({
  to: ApiColumnId,
  /** What the move would mean: a word to the loop, the start of a loop, or a mark in a file that only people write. */
  means: z.enum(["signal", "start", "mark"]).nullable(),
  signal: SignalName.nullable(),
  /** What follows, in one sentence; null where it may not be dropped there. */
  consequence: z.string().nullable(),
  /** Whether another move or word takes it back; what does not is asked about before it is done. */
  undoable: z.boolean(),
  /** Why not; null where it may be dropped there. */
  refused: z.string().nullable(),
});
export type ApiMove = z.infer<typeof ApiMove>;

export const ApiMoves = z.object({
  item: z.string(),
  column: ApiColumnId,
  moves: z.array(ApiMove),
  /** Sent back with a move, what the move is about; null for an item without a loop. */
  seen: Seen.nullable(),
});
export type ApiMoves = z.infer<typeof ApiMoves>;

/** A card is dropped on a column. */
export const ApiMoveRequest = z.strictObject({
  to: ApiColumnId,
  note: z.string().max(20_000).optional(),
  /** What it is said about, where it is a word to a loop. */
  seen: Seen.optional(),
});
export type ApiMoveRequest = z.infer<typeof ApiMoveRequest>;
