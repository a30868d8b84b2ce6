import { z } from "zod";
import { Feature, FeatureId, FeatureStatus } from "../feature.ts";

/** A feature as its file holds it, with everything that other tools keep there. The ETag names this very content. */
export const ApiFeature = Feature;
export type ApiFeature = z.infer<typeof ApiFeature>;

const policyName = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,100}$/, "the name of a policy consists of letters, digits, dashes and underscores");
const branchName = z
  .string()
  .max(200)
  .regex(/^(?!-|\/)(?!.*(?:\.\.|\/\/|@\{))[^\s~^:?*[\\\p{Cc}]+(?<![/.])$/u, "a valid git branch name");

/** The fields of a feature that belong to people. */
const people = {
  title: z.string().trim().min(1).max(500),
  description: z.string().max(200_000),
  category: z.string().max(200),
  priority: z.number(),
  dependencies: z.array(FeatureId).max(500),
  spec: z.string().max(500_000),
  model: z.string().max(200),
  branchName,
  skipTests: z.boolean(),
  planningMode: z.string().max(100),
  policy: policyName,
};

const { title, description, ...optional } = people;

/** A new feature for the backlog. Without an id it gets one; without a description the title is one. */
export const ApiNewFeature = z.strictObject({
  id: FeatureId.optional(),
  title,
  description: description.optional(),
  ...z.object(optional).partial().shape,
});
export type ApiNewFeature = z.infer<typeof ApiNewFeature>;

const forgettable = {
  category: people.category.nullable(),
  priority: people.priority.nullable(),
  dependencies: people.dependencies.nullable(),
  spec: people.spec.nullable(),
  model: people.model.nullable(),
  branchName: people.branchName.nullable(),
  skipTests: people.skipTests.nullable(),
  planningMode: people.planningMode.nullable(),
  policy: people.policy.nullable(),
};

/**
 * A change of a feature: what is named is replaced, and null takes it away. The log owns its reviews;
 * a status is a move on the board, and goes alone.
 */
export const ApiFeaturePatch = z
  .strictObject({
    ...z.object({ title, description, ...forgettable }).partial().shape,
    status: FeatureStatus.optional(),
  })
  .refine((patch) => patch.status === undefined || Object.keys(patch).length === 1, {
    path: ["status"],
    message: "send a move on its own: change the other fields in another request",
  })
  .refine((patch) => Object.keys(patch).length > 0, { message: "name at least one field" });
export type ApiFeaturePatch = z.infer<typeof ApiFeaturePatch>;
