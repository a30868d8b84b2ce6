import { z } from "zod";
import { TicketStatus } from "../review/ticket-review.ts";
import { ApiColumnId, ApiLoop } from "./items.ts";

/** Something that is wrong in a file. */
export const ApiFileProblem = z.object({ file: z.string(), line: z.int(), message: z.string() });
export type ApiFileProblem = z.infer<typeof ApiFileProblem>;

const page = {
  /** Given as `after`, the next page; null on the last. */
  next: z.string().nullable(),
  /** How many there are in all pages. */
  total: z.int().nonnegative(),
};

/** An epic as lists show it. */
export const ApiEpic = z.object({
  id: z.string(),
  key: z.string(),
  title: z.string(),
  file: z.string(),
  /** As its state file has it; null before its first run. */
  status: z.string().nullable(),
  tickets: z.int().nonnegative(),
  completed: z.int().nonnegative(),
  waves: z.int().nonnegative(),
  /** With one of these, nothing in it can start. */
  problems: z.array(ApiFileProblem),
  loop: ApiLoop.nullable(),
});
export type ApiEpic = z.infer<typeof ApiEpic>;

export const ApiEpicPage = z.object({ epics: z.array(ApiEpic), ...page });
export type ApiEpicPage = z.infer<typeof ApiEpicPage>;

/** A ticket of an epic. */
export const ApiTicket = z.object({
  id: z.string(),
  key: z.string(),
  title: z.string(),
  branch: z.string(),
  /** Tickets of one wave do not wait for each other. */
  wave: z.int().positive(),
  critical: z.boolean(),
  status: TicketStatus,
  column: ApiColumnId,
  dependsOn: z.array(z.string()),
  /** Those of them that are not completed. */
  blockedBy: z.array(z.string()),
  /** Why it failed, is blocked, or cannot start. */
  reason: z.string().nullable(),
  revisions: z.int().nonnegative(),
  commit: z.string().nullable(),
  loop: ApiLoop.nullable(),
});
export type ApiTicket = z.infer<typeof ApiTicket>;

/** An epic with its tickets, in the order in which they are merged. */
export const ApiEpicDetail = z.object({
  id: z.string(),
  key: z.string(),
  title: z.string(),
  file: z.string(),
  status: z.string(),
  branch: z.string(),
  baseline: z.string(),
  /** Ids of tickets by wave. */
  waves: z.array(z.array(z.string())),
  tickets: z.array(ApiTicket),
  /** Completed tickets that are not in the epic branch yet. */
  unmerged: z.array(z.string()),
  notes: z.array(z.string()),
  loop: ApiLoop.nullable(),
});
export type ApiEpicDetail = z.infer<typeof ApiEpicDetail>;

/** A story as lists show it. */
export const ApiStory = z.object({
  id: z.string(),
  key: z.string(),
  title: z.string(),
  file: z.string().nullable(),
  status: z.string().nullable(),
  column: ApiColumnId,
  branch: z.string().nullable(),
  dependsOn: z.array(z.string()),
  /** Those of them that are not done. */
  blockedBy: z.array(z.string()),
  damaged: z.string().nullable(),
  loop: ApiLoop.nullable(),
});
export type ApiStory = z.infer<typeof ApiStory>;

export const ApiStoryPage = z.object({ stories: z.array(ApiStory), ...page });
export type ApiStoryPage = z.infer<typeof ApiStoryPage>;

/** A story with what it asks for, and where its findings documents wait. */
export const ApiStoryDetail = ApiStory.extend({
  criteria: z.array(z.string()),
  tasks: z.array(z.object({ text: z.string(), done: z.boolean() })),
  findings: z.array(z.string()),
});
export type ApiStoryDetail = z.infer<typeof ApiStoryDetail>;

/** A unit as lists show it. */
export const ApiUnit = z.object({
  id: z.string(),
  key: z.string(),
  title: z.string(),
  status: z.string().nullable(),
  column: ApiColumnId,
  branch: z.string(),
  wave: z.int().nonnegative(),
  dependsOn: z.array(z.string()),
  /** Those of them that are not complete. */
  blockedBy: z.array(z.string()),
  tasks: z.int().nonnegative(),
  tasksComplete: z.int().nonnegative(),
  damaged: z.string().nullable(),
  loop: ApiLoop.nullable(),
});
export type ApiUnit = z.infer<typeof ApiUnit>;

export const ApiUnitPage = z.object({ units: z.array(ApiUnit), problems: z.array(ApiFileProblem), ...page });
export type ApiUnitPage = z.infer<typeof ApiUnitPage>;

/** A unit with its tasks. */
export const ApiUnitDetail = ApiUnit.omit({ tasks: true }).extend({
  tasks: z.array(
    z.object({ task: z.int(), title: z.string(), status: z.string(), check: z.string(), file: z.string() }),
  ),
});
export type ApiUnitDetail = z.infer<typeof ApiUnitDetail>;
