import { z } from "zod";
import { CodeReviewSpec } from "./code-review.ts";
import { ModelName } from "./model-name.ts";

/** A feature's id: it names a folder, so it can never leave it. */
export const FeatureId = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/, "a feature id consists of letters, digits, dashes and single dots");
export type FeatureId = z.infer<typeof FeatureId>;

/** The columns of the board that every project has. */
export const BoardStatus = z.enum([
  "backlog",
  "in_progress",
  "code_review",
  "waiting_approval",
  "verified",
  "completed",
]);
export type BoardStatus = z.infer<typeof BoardStatus>;

/** A feature in a step of the project's own pipeline. */
export const PipelineStatus = z.templateLiteral(["pipeline_", z.string().min(1)]);
export type PipelineStatus = z.infer<typeof PipelineStatus>;

/** Where a feature stands on the board. */
export const FeatureStatus = z.union([BoardStatus, PipelineStatus], {
  error: `expected one of ${BoardStatus.options.join(", ")}, or pipeline_ and the id of a step`,
});
export type FeatureStatus = z.infer<typeof FeatureStatus>;

/** A feature's written plan. */
export const PlanSpec = z.looseObject({
  status: z.string(),
  content: z.string().optional(),
  version: z.number().optional(),
});
export type PlanSpec = z.infer<typeof PlanSpec>;

/** A feature as `.automaker/features/{id}/feature.json` holds it. Unknown keys belong to other tools and survive. */
export const Feature = z.looseObject({
  id: FeatureId,
  title: z.string().optional(),
  category: z.string().optional(),
  description: z.string(),
  status: FeatureStatus.optional(),
  priority: z.number().optional(),
  /** Ids of features that must be done first. */
  dependencies: z.array(z.string()).optional(),
  spec: z.string().optional(),
  /** Other tools write an empty one where none is chosen. */
  model: ModelName.or(z.literal("")).optional(),
  branchName: z.string().nullish(),
  /** Where its last loop worked. */
  worktreePath: z.string().nullish(),
  /** True means that a person verifies: approval leads to waiting_approval instead of verified. */
  skipTests: z.boolean().optional(),
  planningMode: z.string().optional(),
  planSpec: PlanSpec.optional(),
  summary: z.string().optional(),
  error: z.string().nullish(),
  startedAt: z.string().nullish(),
  justFinishedAt: z.string().nullish(),
  descriptionHistory: z.array(z.unknown()).optional(),
  codeReviewSpec: CodeReviewSpec.optional(),
  /** The policy to run under; it wins over what the settings would choose. */
  policy: z.string().optional(),
  /** `false`: nobody is notified about it. */
  notify: z.boolean().optional(),
});
export type Feature = z.infer<typeof Feature>;

/** One step that the project adds after the review. */
export const PipelineStep = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  order: z.number(),
  instructions: z.string(),
  colorClass: z.string().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});
export type PipelineStep = z.infer<typeof PipelineStep>;

/** The project's own steps: `.automaker/pipeline.json`. */
export const Pipeline = z.looseObject({ version: z.literal(1), steps: z.array(PipelineStep) });
export type Pipeline = z.infer<typeof Pipeline>;

/** What is known about a branch's worktree: `.automaker/worktrees/{branch}/worktree.json`. */
export const WorktreeInfo = z.looseObject({
  branch: z.string().min(1),
  createdAt: z.string(),
  pr: z
    .looseObject({
      number: z.int().positive(),
      url: z.string(),
      title: z.string(),
      state: z.string(),
      createdAt: z.string(),
    })
    .optional(),
});
export type WorktreeInfo = z.infer<typeof WorktreeInfo>;
