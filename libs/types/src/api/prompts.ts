import { z } from "zod";
import { CustomPrompt } from "../prompts.ts";
import { ApiSettingSource } from "./settings.ts";

/** A prompt that can be customised, by its name in the settings (seed 000). */
export const ApiPromptKey = z.enum(["reviewSystemPrompt", "reviewPromptTemplate"]);
export type ApiPromptKey = z.infer<typeof ApiPromptKey>;

/** Something that a template should be corrected in; it runs all the same. */
export const ApiPromptLint = z.object({
  /** Uses of variables that nobody fills in, and where they stand (counted from 1). */
  unknown: z.array(z.object({ name: z.string(), line: z.int(), column: z.int() })),
  /** Variables that it does not use; what they stand for is added below it. */
  missing: z.array(z.string()),
  /** The same in sentences. */
  notes: z.array(z.string()),
});
export type ApiPromptLint = z.infer<typeof ApiPromptLint>;

/** A prompt with its default and what was made of it. */
export const ApiPrompt = z.object({
  key: ApiPromptKey,
  title: z.string(),
  default: z.string(),
  /** The project's own word; its text is kept while it is switched off. Null where the project says nothing. */
  custom: CustomPrompt.nullable(),
  /** The global word, which the project's goes over. */
  global: CustomPrompt.nullable(),
  /** Whether a custom text is in use. */
  enabled: z.boolean(),
  /** The text that new reviews use, and where it comes from. */
  inUse: z.string(),
  from: ApiSettingSource,
  /** Of the text in use. */
  characters: z.int().nonnegative(),
  /** What may stand in it in braces, such as `{featureTitle}`. */
  variables: z.array(z.object({ name: z.string(), about: z.string() })),
  lint: ApiPromptLint,
});
export type ApiPrompt = z.infer<typeof ApiPrompt>;

/** All prompts that can be customised. Their ETag is needed to change one. */
export const ApiPrompts = z.object({ prompts: z.array(ApiPrompt), version: z.string() });
export type ApiPrompts = z.infer<typeof ApiPrompts>;

/** A custom text for a prompt. */
export const ApiPromptChange = z.strictObject({ enabled: z.boolean(), value: z.string().max(200_000) });
export type ApiPromptChange = z.infer<typeof ApiPromptChange>;

/** Asks how a prompt would look. */
export const ApiPromptPreviewRequest = z.strictObject({
  /** The feature to fill it in with; without it a made-up one. */
  itemId: z.string().min(1).max(200).optional(),
  /** A text that is not saved yet; without it the one in use. */
  text: z.string().max(200_000).optional(),
});
export type ApiPromptPreviewRequest = z.infer<typeof ApiPromptPreviewRequest>;

/** A prompt as a reviewer would read it. */
export const ApiPromptPreview = z.object({
  key: ApiPromptKey,
  /** The feature that it is filled in with; null for the made-up one. */
  itemId: z.string().nullable(),
  /** The whole prompt with what Anneal puts around it. */
  text: z.string(),
  characters: z.int().nonnegative(),
  lint: ApiPromptLint,
});
export type ApiPromptPreview = z.infer<typeof ApiPromptPreview>;
