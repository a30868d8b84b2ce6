import { z } from "zod";

/** A story's id (`2.1-D4`, `3-1a`, `3.1.6`): it becomes part of file names, so it can never leave a folder. */
export const StoryId = z
  .string("a story id is text: quote it in YAML")
  .max(64)
  .regex(
    /^[A-Za-z0-9]+(?:[.-][A-Za-z0-9]+)*$/,
    "a story id consists of letters and digits, joined by single dots or dashes",
  );
export type StoryId = z.infer<typeof StoryId>;

/** One numbered issue of a findings document (seed 003). */
export const DocumentIssue = z.object({
  /** Runs on over the sections. */
  number: z.int().positive(),
  category: z.string(),
  title: z.string(),
  file: z.string().optional(),
  line: z.int().positive().optional(),
  problem: z.string(),
  impact: z.string().optional(),
  fix: z.string().optional(),
});
export type DocumentIssue = z.infer<typeof DocumentIssue>;

/** The reviewer's findings of one round, as the document under docs/progress shows them. */
export const FindingsDocument = z.object({
  storyId: StoryId,
  round: z.int().positive(),
  reviewer: z.string(),
  /** `YYYY-MM-DD HH:MM`, UTC. */
  date: z.string().regex(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}$/, "a date is written YYYY-MM-DD HH:MM"),
  branch: z.string(),
  issues: z.object({
    critical: z.array(DocumentIssue),
    important: z.array(DocumentIssue),
    minor: z.array(DocumentIssue),
  }),
  summary: z.object({
    total: z.int().nonnegative(),
    critical: z.int().nonnegative(),
    important: z.int().nonnegative(),
    minor: z.int().nonnegative(),
    recommendation: z.string(),
  }),
});
export type FindingsDocument = z.infer<typeof FindingsDocument>;

/** The optional front matter of a story's markdown file. */
export const StoryFrontMatter = z.looseObject({
  id: StoryId.optional(),
  title: z.string().optional(),
  status: z.string().optional(),
  depends_on: z.array(StoryId).optional(),
  branch: z.string().optional(),
});
export type StoryFrontMatter = z.infer<typeof StoryFrontMatter>;

/** A story, read from its markdown file. */
export const Story = z.object({
  id: StoryId,
  title: z.string(),
  status: z.string().optional(),
  dependsOn: z.array(StoryId),
  branch: z.string().optional(),
  acceptanceCriteria: z.array(z.string()),
  tasks: z.array(z.object({ text: z.string(), done: z.boolean() })),
});
export type Story = z.infer<typeof Story>;
